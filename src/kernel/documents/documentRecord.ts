// What the kernel is told of a document: a record of ten words.
//
//    0  tokens           address
//    4  tokenCount
//    8  languageHash << 1 | prose, with the highest bit for parts that are no running text
//   12  windows          address
//   16  stride           bytes from one window to the next
//   20  windowCount
//   24  fingerprints     address, as written
//   28  renamed          address of those of the renamed view, 0 where there are none
//   32  lines            address
//   36  lineCount

/** Bytes of a record. */
export const documentRecordBytes: usize = 40;
