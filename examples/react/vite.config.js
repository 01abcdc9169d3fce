import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Hands what lies under /cognito/ to the service as it came, so that page and service have one origin. */
const proxy = { '/cognito/': { target: process.env.POOLGATE_URL ?? 'http://localhost:3000', changeOrigin: false } };

/** Of the bundle. The development server needs inline scripts, so it has none. */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types poolgate-client",
  'x-content-type-options': 'nosniff',
};

export default defineConfig({
  plugins: [react()],
  // The development server would put the client into another file, away from its worker.
  optimizeDeps: { exclude: ['@poolgate/client'] },
  build: { modulePreload: false },
  server: { port: 5173, strictPort: true, proxy },
  preview: { port: 5173, strictPort: true, proxy, headers },
});
