import { createServer, type ViteDevServer } from 'vite'
import { inProject } from '../boot/project.mjs'

/** The address of the gallery on the development server. */
const GALLERY_PATH = '/gallery/index.html'

/**
 * Serves the component gallery (apps/web/gallery) from its sources. It needs no server of Pegasus Ops. If `port` is 0,
 * any free port is used; the default is Vite's port. Returns the address, and a function that stops serving.
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
