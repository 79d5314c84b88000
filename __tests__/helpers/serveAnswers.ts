import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AD_BODIES, type AdBody } from './adAnswers.js';

export interface AnswerServer {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Every request but preflights: method and path. */
  readonly requests: string[];
  close(): Promise<void>;
}

/**
 * A service that answers as its address says: below `/<status>/<body>` every request gets that status and one of
 * {@link AD_BODIES}, also where HTTP allows none; below `/<status>/<body>/to`, redirected to another address; `/` is an
 * empty page. Pages of other origins may read all of it.
 */
export async function serveAnswers(): Promise<AnswerServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, { ...OPEN, 'Access-Control-Max-Age': '600' }).end();
      return;
    }
    if (request.url === '/' || request.url === '/favicon.ico') {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>');
      return;
    }
    requests.push(`${request.method!} ${request.url!}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const OPEN = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': '*, Authorization',
};

function answer(request: IncomingMessage, response: ServerResponse): void {
  const [, status = '', body = '', way] = request.url!.split('/');
  const { text = '', type } = AD_BODIES[decodeURIComponent(body) as AdBody] ?? {};
  const headers = {
    ...OPEN,
    ...(type === undefined ? {} : { 'Content-Type': type }),
    ...(way === 'to' ? { Location: '/200/ad' } : {}),
    'Content-Length': String(text.length),
  };
  if (status !== '204' && status !== '304') {
    response.writeHead(Number(status), headers).end(text);
    return;
  }
  // By hand: Node gives these no body.
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const { socket } = request;
  response.detachSocket(socket);
  socket.end(`HTTP/1.1 ${status} Answer\r\nConnection: close\r\n${lines.join('')}\r\n${text}`);
}
