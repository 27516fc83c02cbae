import { createServer, type ViteDevServer } from 'vite'
import { inProject } from '../boot/project.mjs'

/** The address of the gallery on the development server. */
const GALLERY_PATH = '/gallery/index.html'

/**
 * Serves the component gallery (apps/web/gallery) from its sources, without the server. `port` 0 means any free port;
 * the default is Vite's default port. Returns the address and a function that stops the server.
 */
export async function serveGallery(port?: number): Promise<{ url: string; close: () => Promise<void> }> {
  const vite: ViteDevServer = await createServer({
    root: inProject('apps', 'web'),
    configFile: inProject('apps', 'web', 'vite.config.ts'),
    logLevel: 'warn',
    server: { host: '127.0.0.1', proxy: {}, ...(port !== undefined && { port }) },
    ...(port === 0 && { cacheDir: inProject('.cache', 'gallery') }),
  })
  await vite.listen()
  const address = vite.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? ''
  return { url: `${address}${GALLERY_PATH}`, close: () => vite.close() }
}
