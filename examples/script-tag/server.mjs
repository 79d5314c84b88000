import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';

const port = Number(process.env.PORT ?? 5180);
const files = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/phaser.js': ['node_modules/phaser/dist/phaser.min.js', 'text/javascript'],
  '/phaser-inview.js': ['node_modules/phaser-inview/dist/umd/phaser-inview.umd.js', 'text/javascript'],
};

createServer((request, response) => {
  const [file, type] = files[request.url] ?? [];
  if (file === undefined) return response.writeHead(404).end();
  response.writeHead(200, { 'Content-Type': type });
  createReadStream(new URL(file, import.meta.url)).pipe(response);
}).listen(port, () => console.log(`http://localhost:${port}`));
