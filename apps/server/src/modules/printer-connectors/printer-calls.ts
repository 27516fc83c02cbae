import { isHeaderKey } from '@pegasus/contracts/print-queue/printer-key'
import * as z from 'zod/mini'
import type { DeviceAnswer, DeviceCall, DeviceRequest } from '../../platform/outbound/device-call.ts'
import { DeviceCallError } from '../../platform/outbound/device-fault.ts'
import { printerWords } from './connector.ts'
import { garbageError, keyError, networkError, refusedError } from './printer-errors.ts'

const MAX_ANSWER_BYTES = 2 * 1024 * 1024
const MAX_PICTURE_BYTES = 8 * 1024 * 1024

/** The address and the key of a printer. */
export interface PrinterAccess {
  address: string
  /** Null or empty for a printer without a key. */
  apiKey: string | null
}

export type PrinterRequest = Omit<DeviceRequest, 'maxBytes' | 'body' | 'signal'> & {
  body?: Record<string, unknown> | Exclude<DeviceRequest['body'], string>
}

/** HTTP calls to a printer. They throw PrinterError. */
export interface PrinterCalls {
  /** The address of the printer. */
  address: string
  /** Returns the response, whatever its status. */
  ask(request: PrinterRequest): Promise<DeviceAnswer>
  /** Returns the response. Throws unless its status means success. */
  order(request: PrinterRequest): Promise<DeviceAnswer>
  /** Returns the JSON of a successful response. */
  read<T>(request: PrinterRequest, schema: z.ZodMiniType<T>): Promise<T>
  /** Like `read`, but returns null if the response has the status 404. */
  find<T>(request: PrinterRequest, schema: z.ZodMiniType<T>): Promise<T | null>
  /** Deletes the file at this path. Does nothing if there is none. */
  remove(path: string): Promise<void>
  /**
   * Returns a picture, or null if there is none. `address` can name another server on the printer's host, such as a
   * camera server. The credentials are not sent to it.
   */
  picture(path: string, address?: string): Promise<Buffer | null>
}

/** The JSON formats in which printers give the reason for a refusal. */
const refusal = z.union([
  z.object({ error: z.object({ message: z.string() }) }),
  z.object({ error: z.string() }),
  z.object({ text: z.string() }),
  z.object({ message: z.string() }),
])

function reasonOf(answer: DeviceAnswer): string | null {
  const said = refusal.safeParse(parseJson(answer))
  if (!said.success) return null
  const { data } = said
  if ('text' in data) return printerWords(data.text)
  if ('message' in data) return printerWords(data.message)
  return printerWords(typeof data.error === 'string' ? data.error : data.error.message)
}

function parseJson({ body }: DeviceAnswer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/**
 * Statuses of a server that is restarting or overloaded. Other server errors, such as full storage (507), last longer.
 */
const TRANSIENT: ReadonlySet<number> = new Set([500, 502, 503, 504])

const isPicture = (bytes: Buffer): boolean =>
  bytes.subarray(0, 3).toString('hex') === 'ffd8ff' || bytes.subarray(0, 4).toString('hex') === '89504e47'

export function createPrinterCalls(deps: {
  call: DeviceCall
  access: PrinterAccess
  /** The headers that contain the credentials. */
  credentials: Readonly<Record<string, string>>
  signal?: AbortSignal | undefined
}): PrinterCalls {
  const { call, access, credentials, signal } = deps

  const ask = async (
    request: PrinterRequest,
    { maxBytes = MAX_ANSWER_BYTES, address = access.address } = {},
  ): Promise<DeviceAnswer> => {
    const { body, ...rest } = request
    const isStream = body !== undefined && 'stream' in body && 'sizeBytes' in body
    const isJson = body !== undefined && !isStream
    // Node throws an error for a header that it cannot send. Earlier versions of the server have stored such keys.
    if (!Object.values(credentials).every(isHeaderKey)) throw keyError()
    try {
      return await call(address, {
        ...rest,
        maxBytes,
        signal,
        headers: {
          ...(isJson && { 'content-type': 'application/json' }),
          ...(address === access.address && credentials),
          ...rest.headers,
        },
        ...(isJson && { body: JSON.stringify(body) }),
        ...(isStream && { body: body as Exclude<DeviceRequest['body'], string | undefined> }),
      })
    } catch (cause) {
      if (!(cause instanceof DeviceCallError)) throw cause
      throw networkError(cause)
    }
  }

  const assertDone = (answer: DeviceAnswer): DeviceAnswer => {
    if (answer.status >= 200 && answer.status < 300) return answer
    if (answer.status === 401 || answer.status === 403) throw keyError()
    // A server error can occur after the request was carried out.
    throw refusedError(reasonOf(answer), answer.status, {
      mayHaveHappened: answer.status >= 500,
      isTransient: TRANSIENT.has(answer.status),
    })
  }
  const order = async (request: PrinterRequest): Promise<DeviceAnswer> => assertDone(await ask(request))
  const parse = <T>(answer: DeviceAnswer, schema: z.ZodMiniType<T>): T => {
    const parsed = schema.safeParse(parseJson(answer))
    if (parsed.success) return parsed.data
    throw garbageError(parsed.error)
  }

  return {
    address: access.address,
    ask: (request) => ask(request),
    order,
    read: async (request, schema) => parse(await order(request), schema),
    async find(request, schema) {
      const answer = await ask(request)
      return answer.status === 404 ? null : parse(assertDone(answer), schema)
    },
    async remove(path) {
      const answer = await ask({ method: 'DELETE', path })
      if (answer.status !== 404) assertDone(answer)
    },
    async picture(path, address) {
      const { status, body } = await ask({ method: 'GET', path }, { maxBytes: MAX_PICTURE_BYTES, address })
      return status === 200 && isPicture(body) ? body : null
    },
  }
}
