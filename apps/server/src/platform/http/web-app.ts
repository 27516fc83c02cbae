import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import type { ServiceLog } from '../log/service-log.ts'
import { bestEncoding, compress } from './compression.ts'
import { sendError } from './error-handler.ts'
import { pagePolicy } from './security-headers.ts'

/** The beginnings of paths that programs call. An unknown path among them gets a JSON error instead of the web app. */
const PROGRAM_PATHS = /^\/(api|auth|storage|rest|realtime|functions|spoolman|metrics|healthz|readyz)(\/|$)/
const NONCE_PLACE = /__CSP_NONCE__/g
const YEAR_SECONDS = 365 * 24 * 60 * 60
const NOT_BUILT = 'The web app has not been built: run "npm start" in the project folder, which builds it.'

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

async function readPage(folder: string): Promise<string | null> {
  try {
    return await readFile(join(folder, 'index.html'), 'utf8')
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Adds the script that keeps the data of the demo's page apart from the shop's. It runs before all other scripts. */
const markAsDemo = (page: string): string =>
  page.replace('<html', '<html data-demo').replace('<head>', '<head><script src="/demo.js"></script>')

/**
 * Sends the page, compressed if the browser accepts it. It cannot be compressed in advance, because each response has
 * its own nonce.
 */
async function sendPage(request: FastifyRequest, reply: FastifyReply, page: string): Promise<FastifyReply> {
  reply.header('vary', 'Accept-Encoding').type('text/html; charset=utf-8')
  const encoding = bestEncoding(request.headers['accept-encoding'])
  if (encoding === null) return reply.send(page)
  return reply.header('content-encoding', encoding).send(await compress[encoding](page))
}

/**
 * Serves the built web app. Assets are precompressed and cached forever, because their names contain a hash.
 * The page itself is sent uncached, with a nonce for each response, at every path without a route. If the app
 * is not built, the response explains how to build it. `project` is the origin of the hosted project, if there is one.
 */
export async function serveWebApp(
  app: FastifyInstance,
  {
    folder,
    project,
    isDemo = false,
  }: { folder: string; project: string | null /** Whether the page belongs to a demo. */; isDemo?: boolean },
  log: ServiceLog,
): Promise<void> {
  const built = await readPage(folder)
  const page = isDemo && built !== null ? markAsDemo(built) : built
  if (page === null) log.warn({ folder }, NOT_BUILT)
  if (page !== null) {
    await app.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      index: false,
      wildcard: false,
      globIgnore: ['**/*.br', '**/*.gz', 'index.html', '.vite/**', '**/*.map'],
      cacheControl: false,
      setHeaders: (reply, path) => {
        const isHashed = path.startsWith(join(folder, 'assets'))
        reply.header('cache-control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')
      },
    })
  }

  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    const wantsPage = request.method === 'GET' || request.method === 'HEAD'
    if (!wantsPage || PROGRAM_PATHS.test(path) || path.startsWith('/assets/'))
      return sendError(request, reply, new AppError('NOT_FOUND'))
    if (page === null) return sendError(request, reply, new AppError('NOT_FOUND', { text: NOT_BUILT }))
    const nonce = randomBytes(16).toString('base64')
    reply.headers({
      // The browser must not store the page of a demo, because it could later show that page at the same address of the
      // shop.
      'cache-control': isDemo ? 'no-store' : 'no-cache',
      'content-security-policy': pagePolicy(nonce, project),
    })
    return sendPage(request, reply, page.replace(NONCE_PLACE, nonce))
  })
}
