import { S3Client } from '@aws-sdk/client-s3'
import type { S3Settings } from './s3-address.ts'

/** Timeouts of a store, in milliseconds. */
export interface S3Timeouts {
  connectMs: number
  /**
   * Timeouts for one attempt of a request, and for all attempts together. They are short, because a commit waits for
   * them in a transaction that may take at most a minute.
   */
  answerMs: number
  requestMs: number
  /**
   * The same timeouts for a part of an upload. No transaction waits for a part, so there is time to send its 8 MiB over
   * a slow line.
   */
  partAnswerMs: number
  partRequestMs: number
  /** How long a body may send no bytes while its reader waits. */
  stallMs: number
  /** The timeouts for a whole health check, and for all requests to the store when the server starts. */
  checkMs: number
  startMs: number
}

export const S3_TIMEOUTS: S3Timeouts = {
  connectMs: 5_000,
  answerMs: 15_000,
  requestMs: 25_000,
  partAnswerMs: 120_000,
  partRequestMs: 180_000,
  stallMs: 20_000,
  checkMs: 8_000,
  startMs: 30_000,
}
const TRIES = 3

const silent = () => undefined
const SILENT_LOG = { trace: silent, debug: silent, info: silent, warn: silent, error: silent }

/** Creates the AWS client, configured for stores other than Amazon's and with short timeouts. */
export function createClient(
  { endpoint, region, isPathStyle, keys }: S3Settings,
  patience: S3Timeouts,
): S3Client {
  return new S3Client({
    region,
    forcePathStyle: isPathStyle,
    ...(endpoint !== null && { endpoint }),
    ...(keys !== null && {
      credentials: {
        accessKeyId: keys.accessKeyId,
        secretAccessKey: keys.secretAccessKey,
        ...(keys.sessionToken !== null && { sessionToken: keys.sessionToken }),
      },
    }),
    maxAttempts: TRIES,
    // The client's default checksums change the format of the body, and simple stores save that format as content. We
    // send the necessary checksums ourselves.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // With this header, each part would need its own connection.
    expectContinueHeader: false,
    logger: SILENT_LOG,
    requestHandler: {
      connectionTimeout: patience.connectMs,
      requestTimeout: patience.answerMs,
      throwOnRequestTimeout: true,
      // A connection may be idle while its reader is slow. `watchBody` detects responses that stall.
      socketTimeout: 0,
      // Each running download uses its own connection. With a limit, slow readers would block all other requests.
      httpAgent: { keepAlive: true, maxSockets: Infinity, maxFreeSockets: 32 },
      httpsAgent: { keepAlive: true, maxSockets: Infinity, maxFreeSockets: 32 },
    },
  })
}
