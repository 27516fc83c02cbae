import { createHash } from 'node:crypto'
import { publicMediaPath } from '@pegasus/contracts/media/media-files'
import * as z from 'zod'
import { AppError } from '../../platform/errors/app-error.ts'
import type { OutboundRequest } from '../../platform/outbound/outbound-request.ts'
import type { SafeCall } from '../../platform/outbound/safe-call.ts'
import type { HostedProject } from '../auth/index.ts'
import { CONTENT_TYPES, formatOfName } from './detect-format.ts'
import type { PutNew } from './own-file.ts'

const refusal = z.object({ statusCode: z.string().optional(), error: z.string().optional() })
const info = z.object({ metadata: z.object({ source_sha256: z.string().optional() }).nullish() })

/** Parses JSON of the expected form. Returns null for anything else. */
function parsed<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** Returns whether the project refused an upload because another file has its name. */
function isDuplicate(status: number, body: string): boolean {
  const said = parsed(refusal, body)
  return status === 409 || said?.statusCode === '409' || said?.error === 'Duplicate'
}

/** Stores generated files in the hosted project, with its secret key. */
export function createProjectUpload(project: HostedProject, call: SafeCall): PutNew {
  const failed = (cause: unknown) => new AppError('HOSTED_STORAGE_FAILED', { cause })
  const ask = (path: string, { headers, ...request }: OutboundRequest) =>
    call(`${project.url}${path}`, {
      ...request,
      headers: { apikey: project.serviceKey, authorization: `Bearer ${project.serviceKey}`, ...headers },
    }).catch((cause: unknown) => {
      throw failed(cause)
    })

  return async ({ bucket, path, bytes, cacheSeconds }) => {
    const place = publicMediaPath(path, bucket)
    const address = `${project.url}${place}`
    const format = formatOfName(path)
    const source = createHash('sha256').update(bytes).digest('hex')
    const { status, body } = await ask(place.replace('/object/public/', '/object/'), {
      method: 'POST',
      headers: {
        'content-type': format === null ? 'application/octet-stream' : CONTENT_TYPES[format],
        'cache-control': `max-age=${cacheSeconds}`,
        'x-upsert': 'false',
        'x-metadata': Buffer.from(JSON.stringify({ source_sha256: source })).toString('base64'),
      },
      body: bytes,
    })
    if (status === 200) return address
    if (!isDuplicate(status, body)) throw failed(new Error(`status ${status}: ${body.slice(0, 200)}`))
    const there = await ask(place.replace('/object/public/', '/object/info/'), { method: 'GET' })
    return parsed(info, there.body)?.metadata?.source_sha256 === source ? address : null
  }
}
