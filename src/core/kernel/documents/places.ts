// Packs the positions of a document's tokens: see placesLayout.ts.
import {
  adjoins,
  behind,
  blockBytes,
  blockEndAt,
  blockLineAt,
  blockStreamAt,
  blockTokens,
  follows,
  howShift,
  lineBytes,
  longLength,
  opensLine,
} from './placesLayout';
import { lexedLineBytes, lexedOffsetAt, lexedTokenAt } from '../lex/lexedLayout';

/**
 * Packs the positions of tokens, and then, in place, the line records from { first token, line, offset } (12 bytes) to
 * { first token, line }.
 *
 * @param lines  must be followed by room for the positions: 3 bytes for each byte of the text and 12 for each block
 * @returns      bytes of the packed positions, which begin at lines + 12 × lineCount
 */
export function packPlaces(starts: usize, lengths: usize, count: u32, lines: usize, lineCount: u32): u32 {
  const out = lines + <usize>lineCount * lexedLineBytes;
  const stream = out + <usize>((count + blockTokens - 1) / blockTokens) * blockBytes;
  let at = stream;
  let end: u32 = 0;
  let line: u32 = 0;
  let lineStart: u32 = lineCount > 0 ? load<u32>(lines, lexedOffsetAt) : 0;
  for (let token: u32 = 0; token < count; token++) {
    if (token % blockTokens === 0) {
      const block = out + <usize>(token / blockTokens) * blockBytes;
      store<u32>(block, <u32>(at - stream), blockStreamAt);
      store<u32>(block, end, blockEndAt);
      store<u32>(block, lineStart, blockLineAt);
    }
    const start = load<u32>(starts + ((<usize>token) << 2));
    const length = <u32>load<u16>(lengths + ((<usize>token) << 1));
    const ofLength = min<u32>(length, longLength);
    const gap = start - end;
    if (line < lineCount && load<u32>(lines + <usize>line * lexedLineBytes, lexedTokenAt) <= token) {
      const before = end;
      do {
        lineStart = load<u32>(lines + <usize>line * lexedLineBytes, lexedOffsetAt);
        line++;
      } while (line < lineCount && load<u32>(lines + <usize>line * lexedLineBytes, lexedTokenAt) <= token);
      store<u8>(at, <u8>((opensLine << howShift) | ofLength));
      at = putSigned(putSigned(at + 1, lineStart - before), start - lineStart);
    } else if (gap <= 1) {
      store<u8>(at, <u8>(((gap === 0 ? adjoins : follows) << howShift) | ofLength));
      at++;
    } else {
      store<u8>(at, <u8>((behind << howShift) | ofLength));
      at = putSigned(at + 1, gap);
    }
    if (ofLength === longLength) at = put(at, length - longLength);
    end = start + length;
  }
  // In ascending order, so that no record is overwritten before it is read.
  for (let record: u32 = 0; record < lineCount; record++) {
    store<u64>(lines + <usize>record * lineBytes, load<u64>(lines + <usize>record * lexedLineBytes));
  }
  return <u32>(at - out);
}

/** Writes a number in bytes of 7 bits, lowest first; all bytes but the last have the eighth bit set. */
function put(at: usize, value: u32): usize {
  for (; value >= 128; value >>= 7) {
    store<u8>(at, <u8>(value | 128));
    at++;
  }
  store<u8>(at, <u8>value);
  return at + 1;
}

/** Writes a signed number: 0, −1, 1, −2 … as 0, 1, 2, 3 … */
@inline function putSigned(at: usize, value: u32): usize {
  return put(at, (value << 1) ^ (<u32>((<i32>value) >> 31)));
}
