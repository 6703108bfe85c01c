/**
 * Finds the symbolic links in a `.zip` archive. A link is stored as a file that contains the target path. It is marked
 * by its Unix mode in the archive's central directory (APPNOTE.TXT 6.3, sections 4.3.12 to 4.3.16).
 */
import { strFromU8 } from 'fflate';

const endSignature = 0x06054b50;
const endBytes = 22;
const maxCommentBytes = 0xffff;
const locatorSignature = 0x07064b50;
const locatorBytes = 20;
const entrySignature = 0x02014b50;
const entryBytes = 46;
/** Flag for names in UTF-8. Names without it have one byte per character. */
const utf8Flag = 0x800;
/** Systems that store Unix modes: Unix and macOS. */
const systemsWithModes: readonly number[] = [3, 19];
/** File type of a symbolic link, in the four highest bits of the mode. */
const linkType = 0xa;

/** Returns the paths of all symbolic links; none if the archive is damaged. */
export function linksIn(bytes: Uint8Array): ReadonlySet<string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const links = new Set<string>();
  let at = startOfDirectory(view);
  while (at !== undefined && at + entryBytes <= bytes.length && view.getUint32(at, true) === entrySignature) {
    const nameBytes = view.getUint16(at + 28, true);
    const isLink = view.getUint32(at + 38, true) >>> 28 === linkType;
    if (isLink && systemsWithModes.includes(view.getUint8(at + 5))) {
      const name = bytes.subarray(at + entryBytes, at + entryBytes + nameBytes);
      links.add(strFromU8(name, (view.getUint16(at + 8, true) & utf8Flag) === 0));
    }
    at += entryBytes + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return links;
}

/** Returns the offset of the central directory; `undefined` if there is none. */
function startOfDirectory(view: DataView): number | undefined {
  const last = view.byteLength - endBytes;
  for (let at = last; at >= Math.max(0, last - maxCommentBytes); at--) {
    if (view.getUint32(at, true) !== endSignature) continue;
    const locator = at - locatorBytes;
    if (locator < 0 || view.getUint32(locator, true) !== locatorSignature) return view.getUint32(at + 16, true);
    // Zip64: a locator points to a record, which contains the offset of the directory.
    const record = Number(view.getBigUint64(locator + 8, true));
    return record + 56 <= view.byteLength ? Number(view.getBigUint64(record + 48, true)) : undefined;
  }
  return undefined;
}
