import { S3Client } from '@aws-sdk/client-s3'
import type { S3Settings } from './s3-address.ts'

/** How long a store may take, in milliseconds, before it counts as away. */
export interface S3Timeouts {
  connectMs: number
  /** For the answer to one try of a request, and for all its tries: commits wait within a transaction, which has a minute. */
  answerMs: number
  requestMs: number
  /** The same for a part, which nobody's transaction waits for: what the slowest of lines needs for its 8 MiB. */
  partAnswerMs: number
  partRequestMs: number
  /** For the next bytes of a body. */
  stallMs: number
  /** For all of a check, and for all that a start asks. */
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

/** The client of AWS, made to bear with stores of other makers, and to give up in time. */
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
    // The usual sums come in a framing that simple stores keep as content; those that matter are sent by us.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would cost a connection of its own for each part.
    expectContinueHeader: false,
    logger: SILENT_LOG,
    requestHandler: {
      connectionTimeout: patience.connectMs,
      requestTimeout: patience.answerMs,
      throwOnRequestTimeout: true,
      // Somebody who reads slowly leaves a connection idle, and is let be; stalled answers are noticed by `watchBody`.
      socketTimeout: 0,
      // One for each download that is going on, so a limit would let slow readers stop everything else.
      httpAgent: { keepAlive: true, maxSockets: Infinity, maxFreeSockets: 32 },
      httpsAgent: { keepAlive: true, maxSockets: Infinity, maxFreeSockets: 32 },
    },
  })
}
