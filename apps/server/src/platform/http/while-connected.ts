import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'

const requests = new AsyncLocalStorage<FastifyRequest>()

/** Lets `whileConnected` know the current request while its handler runs. Call this before routes are added. */
export function rememberRequests(http: FastifyInstance): void {
  http.addHook('preHandler', (request, _reply, done) => requests.run(request, done))
}

/**
 * Runs work whose signal aborts when the client of the current request closes its connection. The reason is
 * MALFORMED_REQUEST. Outside of a request, for example in a background task, the signal never aborts.
 */
export async function whileConnected<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const gone = new AbortController()
  const socket = requests.getStore()?.raw.socket
  const leave = () =>
    gone.abort(
      new AppError('MALFORMED_REQUEST', { text: 'The upload was interrupted. Please send it again.' }),
    )
  if (socket?.destroyed) leave()
  socket?.once('close', leave)
  try {
    return await work(gone.signal)
  } finally {
    socket?.off('close', leave)
  }
}
