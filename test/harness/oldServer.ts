/** A server that responds like a PostgreSQL version that is too old for Kindred, because no package contains one. */
import { createServer, type AddressInfo, type Server as Listener } from 'node:net';

export interface OldServer {
  readonly url: string;
  /** True if a client has connected. */
  readonly wasAsked: () => boolean;
  close(): void;
}

/** Starts a server that reports the version 14.9. */
export async function startOldServer(): Promise<OldServer> {
  const listener = answering('14.9', '140009').listen(0, '127.0.0.1');
  let connections = 0;
  listener.on('connection', () => connections++);
  await new Promise((resolve) => listener.once('listening', resolve));
  const { port } = listener.address() as AddressInfo;
  return {
    url: `postgres://somebody@127.0.0.1:${port}/there?sslmode=disable`,
    wasAsked: () => connections > 0,
    close: () => void listener.close(),
  };
}

function answering(version: string, number: string): Listener {
  const message = (type: string, body: Buffer): Buffer => {
    const head = Buffer.alloc(5);
    head.write(type);
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  const int = (bytes: 2 | 4, value: number): Buffer => {
    const buffer = Buffer.alloc(bytes);
    buffer.writeIntBE(value, 0, bytes);
    return buffer;
  };
  const column = (name: string): Buffer =>
    Buffer.concat([Buffer.from(`${name}\0`), int(4, 0), int(2, 0), int(4, 25), int(2, -1), int(4, -1), int(2, 0)]);
  const value = (text: string): Buffer => Buffer.concat([int(4, text.length), Buffer.from(text)]);
  const ready = message('Z', Buffer.from('I'));
  return createServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', int(4, 0)), ready]));
      socket.on('data', (request) => {
        if (request[0] === 'X'.charCodeAt(0)) return;
        socket.write(
          Buffer.concat([
            message('1', Buffer.alloc(0)),
            message('2', Buffer.alloc(0)),
            message('T', Buffer.concat([int(2, 2), column('number'), column('version')])),
            message('D', Buffer.concat([int(2, 2), value(number), value(version)])),
            message('C', Buffer.from('SELECT 1\0')),
            ready,
          ]),
        );
      });
    });
    socket.on('error', () => {});
  });
}
