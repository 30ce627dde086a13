"""What ours and the peer are both asked."""

NUM_OUTPUT = 256
ENCODING = "cl100k_base"
QUERY = "What does the text say, and what follows from it?"
TEMPLATES = {
    "text_qa_template": "Read:\n{context_str}\nQuestion: {query_str}\nAnswer: ",
    "summary_template": "Read:\n{context_str}\nQuestion: {query_str}\nSummary: ",
    "refine_template": "Asked: {query_str}\nSo far: {existing_answer}\nRead:\n{context_msg}\nNow: ",
}
