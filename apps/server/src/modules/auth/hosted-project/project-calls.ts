import { type JSONWebKeySet } from 'jose'
import * as z from 'zod'
import { type Clock, SECOND_MS, addMs } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors/app-error.ts'
import { DownloadError } from '../../../platform/outbound/download-error.ts'
import type { OutboundRequest } from '../../../platform/outbound/outbound-request.ts'
import type { CallAnswer, SafeCall } from '../../../platform/outbound/safe-call.ts'
import type { ServiceLog } from '../../../platform/log/service-log.ts'
import type { HostedProject } from './project-settings.ts'

/**
 * After an outage (no response, or a status of 500 or more), the server does not call the project for this long.
 * Otherwise every request would wait for its timeout. Other bad responses cause no pause, because they may concern only
 * one person.
 */
const PAUSE_MS = 5 * SECOND_MS

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })
const person = z.object({
  id: z.string(),
  email: z.string().nullish(),
  email_confirmed_at: z.string().nullish(),
  last_sign_in_at: z.string().nullish(),
  user_metadata: z.record(z.string(), z.unknown()).nullish(),
  is_anonymous: z.boolean().nullish(),
  factors: z.array(z.object({ status: z.string(), factor_type: z.string() })).nullish(),
})
const roleRows = z.array(
  z.object({
    role_name: z.string(),
    permissions: z.record(z.string(), z.unknown()).nullish(),
    is_active: z.boolean(),
  }),
)

export type ProjectPerson = z.output<typeof person>
export type ProjectRole = z.output<typeof roleRows>[number]

/** The calls to the hosted project. Each throws HOSTED_PROJECT_UNAVAILABLE if there is no usable response. */
export interface ProjectCalls {
  /** Returns the public keys with which the project signs access tokens. */
  readKeys(): Promise<JSONWebKeySet>
  /**
   * Returns the person to whom an access token belongs. Returns null if the session has ended or the account is closed.
   */
  findPerson(accessToken: string): Promise<ProjectPerson | null>
  /** Returns the active role of a person. Returns null if the person has no active role or more than one. */
  findRole(userId: string): Promise<ProjectRole | null>
}

/**
 * Returns whether the project's sign-in service has refused the token. Its refusals contain an error code, while those
 * of a gateway before it do not.
 */
function isRefusal({ status, body }: CallAnswer): boolean {
  if (status !== 401 && status !== 403 && status !== 404) return false
  const { data } = z
    .object({ error_code: z.string().optional(), code: z.unknown() })
    .safeParse(jsonOf(body) ?? {})
  return data !== undefined && (data.error_code !== undefined || typeof data.code === 'string')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export function createProjectCalls(deps: {
  project: HostedProject
  call: SafeCall
  clock: Clock
  log: ServiceLog
}): ProjectCalls {
  const { project, clock, log } = deps
  let pausedUntil = new Date(0)

  const unavailable = (path: string, cause: unknown): AppError => {
    log.warn({ err: cause, path }, 'the hosted project did not respond as expected')
    return new AppError('HOSTED_PROJECT_UNAVAILABLE', { cause, retryAfterSeconds: PAUSE_MS / SECOND_MS })
  }
  const pause = (): void => {
    pausedUntil = addMs(clock.now(), PAUSE_MS)
  }

  const ask = async <T>(
    path: string,
    request: Omit<OutboundRequest, 'method'>,
    read: (answer: CallAnswer) => T,
  ): Promise<T> => {
    if (pausedUntil > clock.now())
      throw new AppError('HOSTED_PROJECT_UNAVAILABLE', { retryAfterSeconds: PAUSE_MS / SECOND_MS })
    let answer: CallAnswer
    try {
      answer = await deps.call(`${project.url}${path}`, { method: 'GET', ...request })
    } catch (cause) {
      if (!(cause instanceof DownloadError && cause.fault === 'too-large')) pause()
      throw unavailable(path, cause)
    }
    if (answer.status >= 500) pause()
    try {
      return read(answer)
    } catch (cause) {
      throw unavailable(path, cause)
    }
  }

  /** Parses the body of a response. Throws if the status is not 200 or the body does not fit the schema. */
  const bodyOf = <T>(schema: z.ZodType<T>, { status, body }: CallAnswer): T => {
    if (status !== 200) throw new Error(`status ${status}: ${body.slice(0, 200)}`)
    return schema.parse(JSON.parse(body))
  }
  const withKey = (key: string, bearer = key) => ({
    headers: { accept: 'application/json', apikey: key, authorization: `Bearer ${bearer}` },
  })

  return {
    readKeys: () =>
      ask('/auth/v1/.well-known/jwks.json', withKey(project.anonKey), (answer) => bodyOf(keySet, answer)),

    findPerson: (accessToken) =>
      ask('/auth/v1/user', withKey(project.anonKey, accessToken), (answer) =>
        isRefusal(answer) ? null : bodyOf(person, answer),
      ),

    findRole(userId) {
      const query = new URLSearchParams({
        select: 'role_name,permissions,is_active',
        user_id: `eq.${userId}`,
        is_active: 'eq.true',
        limit: '2',
      })
      return ask(`/rest/v1/user_roles?${query}`, withKey(project.serviceKey), (answer) => {
        const [row = null, second] = bodyOf(roleRows, answer)
        if (!second) return row
        log.warn({ userId }, 'a person has several active roles in the hosted project; none of them counts')
        return null
      })
    },
  }
}
