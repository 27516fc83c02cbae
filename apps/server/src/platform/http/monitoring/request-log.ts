import type { FastifyInstance } from 'fastify'

/**
 * Logs one line for each response. The line contains neither headers nor query strings, because both can
 * contain secrets.
 */
export function logRequests(http: FastifyInstance): void {
  http.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        ip: request.ip,
        ...(request.principal &&
          'accountId' in request.principal && { account: request.principal.accountId }),
        ...(request.principal && 'keyId' in request.principal && { apiKey: request.principal.keyId }),
      },
      'request',
    )
    done()
  })
}
