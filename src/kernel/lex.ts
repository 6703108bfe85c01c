export function lex(source: usize, length: u32, lexicon: usize, out: usize): void {
  store<u32>(out, <u32>(source + length + lexicon));
}
