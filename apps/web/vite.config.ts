import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const SERVER = `http://127.0.0.1:${process.env.PORT ?? 3000}`
const SERVER_PATHS = ['/api', '/auth', '/storage', '/rest', '/s/', '/healthz', '/readyz']

export default defineConfig({
  plugins: [react(), tailwindcss()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  // The server replaces this word with a new nonce in every response; see docs/security.md on the content policy.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    // three.js stays one chunk, which loads when a model is opened. The sign-in page has its own size limit.
    chunkSizeWarningLimit: 700,
  },
  worker: { format: 'es' },
  server: { proxy: Object.fromEntries(SERVER_PATHS.map((path) => [path, SERVER])) },
})
