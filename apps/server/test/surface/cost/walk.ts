import type { Endpoint } from '@pegasus/contracts/endpoint'
import { aKey, keyHeader } from '../../support/accounts/api-keys.ts'
import { lastingCaller } from '../../support/accounts/lasting-caller.ts'
import { aServiceKey } from '../../support/accounts/service-keys.ts'
import type { TestApp } from '../../support/build-test-app.ts'
import { type ShopIds, fillShop } from './fill-shop.ts'
import { type CostlyRequest, requestsTo } from './requests.ts'

/**
 * Maximum CPU time of one request on the main thread, in ms. The main thread serves no other request during this time.
 */
const MAX_CPU_MS = 250

/**
 * Maximum CPU time in ms of calls that may take longer. Only one call of each kind runs at a time, over all processes.
 * The comment at each call gives the reason.
 */
const QUEUED: Readonly<Record<string, number>> = {
  // This call creates up to a thousand print jobs. It holds the lock of the plan, so only one such call can run at a
  // time.
  'POST /api/inventory/replenishment': 1000,
}

/** The most expensive request to an endpoint. */
export interface RouteCost {
  route: string
  caller: string
  input: string
  status: number
  cpuMs: number
  /** Whether a request to this endpoint succeeded for at least one caller. */
  hasSucceeded: boolean
  /** The status of the last server error, or null. */
  fault: number | null
}

/** A caller of endpoints: a person with a role, a program with a key, or anybody. */
export interface Caller {
  name: string
  headers: () => Promise<Record<string, string>>
  saw: (method: string, statusCode: number) => void
}

const ignore = (): void => undefined

/** The order of the requests. Deletions come last, because they remove objects that other requests name. */
const ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
/** Returns whether an endpoint must come after all others, because its call ends sessions or keys of other callers. */
const isLast = ({ path }: Endpoint): boolean => /signing-keys|logout|change-password|sessions/.test(path)

/** Returns the CPU time of the main thread in ms while `work` runs, without the time of workers and of the database. */
async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

async function send(
  app: TestApp,
  endpoint: Endpoint,
  request: CostlyRequest,
  headers: Record<string, string>,
) {
  const { url, payload } = request
  let status = 0
  const cpuMs = await cpuMsOf(async () => {
    const response = await app.http.inject({
      method: endpoint.method,
      url,
      headers: { ...headers, ...request.headers },
      remoteAddress: '10.0.0.1',
      ...(payload !== undefined && { payload }),
      // An event stream never ends, so read only its headers.
      payloadAsStream: endpoint.path === '/api/events',
    })
    status = response.statusCode
    if (endpoint.path === '/api/events') response.stream().destroy()
  })
  return { status, cpuMs }
}

/** Returns one caller of each kind. */
export async function callersOf(app: TestApp): Promise<Caller[]> {
  const key = keyHeader((await aKey(app, { scope: ['integration', 'print-jobs'] })).key)
  const service = (await aServiceKey(app)).key
  const people = (['viewer', 'staff', 'admin', 'owner'] as const).map((role) => ({
    name: role,
    ...lastingCaller(app, role),
  }))
  const programs = {
    anybody: {},
    'API key': key,
    'service key': { apikey: service, authorization: `Bearer ${service}` },
  }
  return [
    ...Object.entries(programs).map(([name, headers]) => ({
      name,
      headers: async () => headers,
      saw: ignore,
    })),
    ...people,
  ]
}

/** Returns the name of the caller with the fewest rights that may call the endpoint. */
export function admittedTo({ access }: Endpoint): string {
  if (access === 'public' || access === 'nobody') return 'anybody'
  if (access === 'service-role') return 'service key'
  if (typeof access === 'object') return 'API key'
  return access === 'signed-in' ? 'viewer' : access
}

/**
 * Calls every endpoint as every caller with its most expensive parameters, with `rows` rows of each kind in the
 * database. Returns the most expensive request to each endpoint, slowest first.
 */
export async function walkEndpoints(app: TestApp, rows: number): Promise<RouteCost[]> {
  const callers = await callersOf(app)
  for (const caller of callers) await caller.headers()
  const ids: ShopIds = await fillShop(app, rows)
  const endpoints = app.endpoints.all
    .filter(({ access }) => access !== 'nobody')
    .toSorted(
      (a, b) => Number(isLast(a)) - Number(isLast(b)) || ORDER.indexOf(a.method) - ORDER.indexOf(b.method),
    )
  const costs: RouteCost[] = []
  for (const endpoint of endpoints) {
    const route = `${endpoint.method} ${endpoint.path}`
    const cost: RouteCost = {
      route,
      caller: '',
      input: '',
      status: 0,
      cpuMs: 0,
      hasSucceeded: false,
      fault: null,
    }
    for (const caller of callers) {
      for (const request of await requestsTo(endpoint, ids)) {
        const headers = await caller.headers()
        const first = await send(app, endpoint, request, headers)
        caller.saw(endpoint.method, first.status)
        if (first.status < 300) cost.hasSucceeded = true
        if (first.status >= 500) cost.fault = first.status
        // The first call also compiles code, so an expensive request is sent and measured again.
        const again =
          first.cpuMs > MAX_CPU_MS / 2 ? await send(app, endpoint, request, await caller.headers()) : first
        const cpuMs = again.status === first.status ? Math.min(first.cpuMs, again.cpuMs) : first.cpuMs
        if (cpuMs > cost.cpuMs)
          Object.assign(cost, { caller: caller.name, input: request.input, status: first.status, cpuMs })
      }
    }
    costs.push(cost)
  }
  return costs.toSorted((a, b) => b.cpuMs - a.cpuMs)
}

/** Returns whether a request exceeds its limit. */
export const isTooExpensive = ({ route, cpuMs }: RouteCost): boolean => cpuMs > (QUEUED[route] ?? MAX_CPU_MS)

/** Formats the costs as rows of a Markdown table. */
export const reportOf = (costs: readonly RouteCost[]): string =>
  costs
    .map(
      ({ route, caller, input, status, cpuMs }) =>
        `| \`${route}\` | ${caller}, ${input} | ${cpuMs.toFixed(0)} | ${status} |`,
    )
    .join('\n')
