/**
 * Loaded into a server of pages with node --import: makes its pages cross-origin isolated, as `?vscode-coi` does on
 * vscode.dev. The server of VS Code ignores that parameter. Threads of an isolated page can share memory.
 */
import { ServerResponse } from 'node:http';

const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

ServerResponse.prototype.writeHead = new Proxy(ServerResponse.prototype.writeHead, {
  apply: (writeHead, /** @type {ServerResponse} */ response, head) => {
    for (const [name, value] of Object.entries(isolation)) response.setHeader(name, value);
    return Reflect.apply(writeHead, response, head);
  },
});
