"""PDFs to upload."""

from io import BytesIO

from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject


def pdf(*pages, password=None):
    writer = PdfWriter()
    font = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
    named = DictionaryObject({NameObject(key): NameObject(name) for key, name in font.items()})
    fonts = DictionaryObject({NameObject("/F1"): named})
    for text in pages:
        page = writer.add_blank_page(300, 200)
        stream = DecodedStreamObject()
        stream.set_data(f"BT /F1 12 Tf 20 100 Td ({text}) Tj ET".encode("latin-1"))
        page[NameObject("/Contents")] = writer._add_object(stream)
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    if password is not None:
        writer.encrypt(password, algorithm="RC4-128")
    file = BytesIO()
    writer.write(file)
    return file.getvalue()
