import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { createChunkNames } from './vite/chunks.ts'
import { earlyViews } from './vite/early-views-plugin.ts'
import { firstViewScripts } from './vite/first-view-scripts.ts'

const SERVER = `http://127.0.0.1:${process.env.PORT ?? 3000}`
const SERVER_PATHS = ['/api', '/auth', '/storage', '/rest', '/s/', '/healthz', '/readyz']
/** A chunk below this size, in bytes before compression, is merged with the chunk that is most often used with it. */
const SMALLEST_CHUNK = 5000
/** The libraries that are loaded with the first menu. */
const MENU_LIBRARIES =
  /node_modules[\\/](?:@radix-ui[\\/]react-(?:menu|dropdown-menu|popper|arrow|roving-focus|collection|direction|use-size|use-is-hydrated)|@floating-ui)/
const DIALOG_LIBRARIES =
  /node_modules[\\/](?:@radix-ui[\\/](?:primitive|react-(?:dialog|focus-|portal|presence|primitive|slot|context|compose-refs|dismissable-layer|id|use-))|react-remove-scroll|react-style-singleton|use-callback-ref|use-sidecar|aria-hidden)/
const FORM_LIBRARY = /node_modules[\\/](?:react-hook-form|@hookform|@standard-schema)/

export default defineConfig({
  plugins: [react(), tailwindcss(), firstViewScripts(), earlyViews()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  // The server replaces this placeholder with a new nonce in every response; see docs/security.md on the content
  // policy.
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
          includeDependenciesRecursively: false,
          groups: [
            // Every page needs this, including the sign-in page.
            { name: 'start', tags: ['$initial'], priority: 4 },
            { name: 'three', test: /node_modules[\\/]three/, priority: 3 },
            { name: 'auth-client', test: /node_modules[\\/]@supabase[\\/]auth-js/, priority: 3 },
            { name: 'form', test: FORM_LIBRARY, priority: 3 },
            { name: 'queries', test: /node_modules[\\/]@tanstack[\\/](?:query|react-query)/, priority: 3 },
            { name: 'menu', test: MENU_LIBRARIES, priority: 3 },
            { name: 'dialog', test: DIALOG_LIBRARIES, priority: 3 },
            { name: createChunkNames(), debugName: 'pages', priority: 2 },
            // Code that several tabs share is grouped by the pages that use it, so that a page makes few requests.
            {
              name: 'part',
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: SMALLEST_CHUNK,
            },
          ],
        },
        // Shared chunks may depend on each other. Their modules must still run in the order of the sources.
        strictExecutionOrder: true,
        // The default name of a shared chunk lists its pages, so shorten it.
        chunkFileNames: ({ name }) => `assets/${name.startsWith('part') ? 'part' : '[name]'}-[hash].js`,
      },
    },
  },
  worker: { format: 'es' },
  server: { proxy: Object.fromEntries(SERVER_PATHS.map((path) => [path, SERVER])) },
})
