import { defineConfig } from 'vite';

export default defineConfig({
  esbuild: { jsx: 'automatic' },
  optimizeDeps: { include: ['react/jsx-dev-runtime'] },
});
