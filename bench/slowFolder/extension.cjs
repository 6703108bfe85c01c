/**
 * Web extension for bench/browser.mjs: a file system that answers each request after a delay, like one in a network.
 * Its files are in corpus.bin. corpus.json describes them: the delay, and the path and size of each file. The Status
 * Bar has the number of files that were read, the paths of files that were read again, and the number of requests for
 * files that do not exist, such as settings.
 */
/* global setTimeout, TextDecoder */
const vscode = require('vscode');

exports.activate = async ({ extensionUri, subscriptions }) => {
  const read = (name) => vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, name));
  const corpus = (async () => {
    const { delayMs, sizes } = JSON.parse(new TextDecoder().decode(await read('corpus.json')));
    return { delayMs, files: filesIn(sizes, await read('corpus.bin')) };
  })();
  const counts = new Map();
  let missing = 0;
  const item = vscode.window.createStatusBarItem();
  item.show();
  const answer = async (get) => {
    const { delayMs, files } = await corpus;
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    const value = get(files);
    if (value === undefined) throw vscode.FileSystemError.FileNotFound();
    return value;
  };
  const provider = {
    onDidChangeFile: new vscode.EventEmitter().event,
    watch: () => new vscode.Disposable(() => undefined),
    stat: ({ path }) => answer((files) => files.get(path)?.stat),
    readDirectory: ({ path }) => answer((files) => files.get(path)?.entries),
    readFile: ({ path }) =>
      answer((files) => {
        const bytes = files.get(path)?.bytes;
        if (bytes === undefined) missing++;
        else counts.set(path, (counts.get(path) ?? 0) + 1);
        const again = [...counts].flatMap(([read, count]) => (count > 1 ? [`${count} × ${read}`] : []));
        item.text = `${counts.size} read, ${again.length} again (${again.join(', ')}), ${missing} missing`;
        return bytes;
      }),
    writeFile: readOnly,
    createDirectory: readOnly,
    delete: readOnly,
    rename: readOnly,
  };
  subscriptions.push(
    item,
    vscode.workspace.registerFileSystemProvider('slow-folder', provider, { isReadonly: true, isCaseSensitive: true }),
  );
};

function filesIn(sizes, all) {
  const files = new Map();
  const folderOf = (path) => {
    const found = files.get(path);
    if (found) return found;
    const folder = { stat: { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 }, entries: [] };
    files.set(path, folder);
    if (path !== '/') addTo(path, vscode.FileType.Directory);
    return folder;
  };
  const addTo = (path, type) => {
    const cut = path.lastIndexOf('/');
    folderOf(path.slice(0, cut) || '/').entries.push([path.slice(cut + 1), type]);
  };
  let at = 0;
  for (const [place, [path, size]] of sizes.entries()) {
    // Equal times would make files look changed.
    const stat = { type: vscode.FileType.File, ctime: 0, mtime: 1_700_000_000_000 + place, size };
    files.set(path, { stat, bytes: all.subarray(at, at + size) });
    addTo(path, vscode.FileType.File);
    at += size;
  }
  return files;
}

function readOnly() {
  throw vscode.FileSystemError.NoPermissions();
}
