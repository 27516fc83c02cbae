import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const SERVER = `http://127.0.0.1:${process.env.PORT ?? 3000}`
const SERVER_PATHS = ['/api', '/auth', '/storage', '/rest', '/s/', '/healthz', '/readyz']
/** A part below this size, in bytes before compression, joins the part that is used with it most. */
const SMALLEST_CHUNK = 5000
/** Fields of every form. */
const FORM_FILES = /components[\\/]ui[\\/]forms[\\/](?:field|input|control-class|password-input)/
/** The screens before the sign-in, with their form library. */
const SIGN_IN_FILES =
  /node_modules[\\/](?:react-hook-form|@hookform|@standard-schema)|features[\\/]auth[\\/](?:sign-in-|credential-fields|session-ended|auth-footer-links|part-hero|link-messages|provider-message|unconfirmed-alert)|contracts[\\/]src[\\/]auth[\\/]password-rules/

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
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What every page needs, the sign-in page included.
            { name: 'start', tags: ['$initial'], priority: 2 },
            { name: 'three', test: /node_modules[\\/]three/, priority: 1 },
            // What the sign-in page needs besides. Alone, so that no part of other pages joins it.
            { name: 'form', test: FORM_FILES, priority: 1 },
            { name: 'sign-in', test: SIGN_IN_FILES, priority: 1 },
            // What several pages share: together with what the same pages share, so that a page makes few requests.
            {
              name: 'part',
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: SMALLEST_CHUNK,
            },
          ],
        },
        // Parts of several pages may need each other; their modules still run in the order of the sources.
        strictExecutionOrder: true,
        // The name of a shared part lists its pages.
        chunkFileNames: ({ name }) => `assets/${name.startsWith('part') ? 'part' : '[name]'}-[hash].js`,
      },
    },
  },
  worker: { format: 'es' },
  server: { proxy: Object.fromEntries(SERVER_PATHS.map((path) => [path, SERVER])) },
})
