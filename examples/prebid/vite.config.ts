import { defineConfig } from 'vite';
import { startExchange } from './exchange.js';

/** Serves the game, the creatives of the demo, and beside them a stand-in for Prebid Server. */
export default defineConfig({
  publicDir: '../../demo/service/creatives',
  plugins: [
    {
      name: 'exchange',
      configureServer({ middlewares }) {
        let exchange: ReturnType<typeof startExchange> | null = null;
        middlewares.use((request, response, next) => {
          if (request.url !== '/') {
            next();
            return;
          }
          exchange ??= startExchange(`http://${request.headers.host}`);
          void exchange.then(({ endpoint }) => {
            response.writeHead(302, { location: `/?exchange=${encodeURIComponent(endpoint)}` }).end();
          });
        });
      },
    },
  ],
});
