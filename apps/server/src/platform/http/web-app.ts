import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import { sendError } from './error-handler.ts'
import { styleNonce } from './security-headers.ts'

/** Paths that belong to programs: an unknown one is an error in JSON, not a page. */
const PROGRAM_PATHS = /^\/(api|auth|storage|rest|metrics|healthz|readyz)(\/|$)/
const NONCE_PLACE = /__CSP_NONCE__/g
const YEAR_SECONDS = 365 * 24 * 60 * 60

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

/**
 * Serves the built web app: assets precompressed and cached for good (their names carry a hash), and the page
 * itself, fresh and with this response's nonce, at every path that nothing else answers.
 */
export async function serveWebApp(app: FastifyInstance, folder: string): Promise<void> {
  const page = await readPage(folder)
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
    if (page === null || !wantsPage || PROGRAM_PATHS.test(path) || path.startsWith('/assets/'))
      return sendError(request, reply, new AppError('NOT_FOUND'))
    return reply
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page.replace(NONCE_PLACE, styleNonce(reply.raw)))
  })
}
