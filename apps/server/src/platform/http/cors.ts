import type { FastifyCorsOptions } from '@fastify/cors'
import type { FastifyRequest } from 'fastify'

/** Other origins may call only the hosted service's protocol. */
const HOSTED_PATHS = /^\/(auth|storage|rest|realtime|functions)\/v1(\/|\?|$)/

const HOSTED_OPTIONS: FastifyCorsOptions = {
  origin: true,
  credentials: false,
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  // The browser shows scripts only the headers in this list. Without the error code header, the client would not trust
  // our error codes.
  exposedHeaders: [
    'X-Total-Count',
    'Link',
    'X-Supabase-Api-Version',
    'X-Sb-Error-Code',
    'X-Request-Id',
    'Retry-After',
    // Clients that read stored files need these headers.
    'Content-Range',
    'Content-Length',
    'Content-Disposition',
    'ETag',
    // Clients of resumable uploads need these headers.
    'Location',
    'Upload-Offset',
    'Upload-Length',
    'Upload-Expires',
    'Upload-Metadata',
    'Tus-Resumable',
    'Tus-Version',
    'Tus-Extension',
    'Tus-Max-Size',
  ],
  maxAge: 3600,
}

/** Allows every origin on the hosted service's paths, without credentials. Allows no other origin elsewhere. */
export const HOSTED_CORS = (
  request: FastifyRequest,
  done: (error: Error | null, options: FastifyCorsOptions) => void,
): void => done(null, HOSTED_PATHS.test(request.url) ? HOSTED_OPTIONS : { origin: false })
