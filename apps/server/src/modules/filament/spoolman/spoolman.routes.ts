import {
  SPOOLMAN_VERSION,
  getSpoolmanFilament,
  getSpoolmanHealth,
  getSpoolmanInfo,
  getSpoolmanRoot,
  getSpoolmanSpool,
  getSpoolmanStart,
  getSpoolmanVendor,
  listSpoolmanFilaments,
  listSpoolmanGroups,
  listSpoolmanSpools,
  type SpoolmanSpoolQuery,
  listSpoolmanVendors,
  measureSpoolmanSpool,
  useSpoolmanSpool,
} from '@pegasus/contracts/filament/spoolman'
import type { FastifyReply } from 'fastify'
import type { Endpoints, Handler } from '../../../platform/http/endpoints.ts'
import type { SpoolmanSockets } from './events/spoolman-sockets.ts'
import { presentFilament, presentMoment, presentSpoolmanSpool, presentVendor } from './spoolman.present.ts'
import type { Spoolman } from './spoolman.service.ts'

interface SpoolmanRoutesDeps {
  spoolman: Spoolman
  sockets: SpoolmanSockets
  currency: string
}

const sendTotal = <T>(reply: FastifyReply, found: { rows: T[]; total: number }): T[] => {
  reply.header('x-total-count', String(found.total))
  return found.rows
}

function addReadRoutes(endpoints: Endpoints, { spoolman, sockets, currency }: SpoolmanRoutesDeps): void {
  const filterOf = async (query: SpoolmanSpoolQuery) => ({
    texts: {
      'filament.name': query['filament.name'] ?? query.filament_name,
      'filament.material': query['filament.material'] ?? query.filament_material,
      'filament.multi_color_direction': query['filament.multi_color_direction'],
      'vendor.name': query['filament.vendor.name'] ?? query.vendor_name,
      location: query.location,
      lot_nr: query.lot_nr,
    },
    numbers: {
      'filament.id': query['filament.id'] ?? query.filament_id,
      'vendor.id': query['filament.vendor.id'] ?? query.vendor_id,
    },
    moments: { first_used: query.first_used, last_used: query.last_used, registered: query.registered },
    extras: await spoolman.extraFilters(query, 'spool'),
    allowArchived: query.allow_archived,
  })

  endpoints.add(getSpoolmanStart, async () => ({
    message:
      'Programs that report to Spoolman use this address with an API key. The API is under /spoolman/api/v1.',
  }))
  endpoints.add(
    getSpoolmanRoot,
    async () => ({ message: 'A websocket at this address reports all changes.' }),
    sockets.onSocketFor(),
  )
  endpoints.add(getSpoolmanInfo, async () => ({
    version: SPOOLMAN_VERSION,
    debug_mode: false,
    automatic_backups: false,
    // Do not reveal where this server stores its data.
    data_dir: '',
    logs_dir: '',
    backups_dir: '',
    db_type: 'postgres',
  }))
  endpoints.add(getSpoolmanHealth, async () => ({ status: 'healthy' as const }))

  endpoints.add(
    listSpoolmanVendors,
    async ({ query, reply }) => {
      const texts = { 'vendor.name': query.name, 'vendor.external_id': query.external_id }
      const extras = await spoolman.extraFilters(query, 'vendor')
      const found = await spoolman.vendors({ texts, numbers: {}, extras }, query)
      return sendTotal(reply, found).map(presentVendor)
    },
    sockets.onSocketFor('vendor'),
  )

  const listFilaments: Handler<typeof listSpoolmanFilaments> = async ({ query, reply }) => {
    const texts = {
      'filament.name': query.name,
      'filament.material': query.material,
      'filament.article_number': query.article_number,
      'filament.external_id': query.external_id,
      'filament.multi_color_direction': query.multi_color_direction,
      'vendor.name': query['vendor.name'] ?? query.vendor_name,
    }
    const { color_hex: color } = query
    const like =
      color === undefined
        ? null
        : await spoolman.filamentsLike(color.replace('#', ''), query.color_similarity_threshold)
    const numbers = {
      'vendor.id': query['vendor.id'] ?? query.vendor_id,
      // No filament has the number 0, so this filter matches nothing.
      ...(like && { 'filament.id': like.join(',') || '0' }),
    }
    const extras = await spoolman.extraFilters(query, 'filament')
    const found = await spoolman.filaments({ texts, numbers, extras }, query)
    return sendTotal(reply, found).map((row) => presentFilament(row, currency))
  }
  endpoints.add(listSpoolmanFilaments, listFilaments, sockets.onSocketFor('filament'))

  endpoints.add(
    listSpoolmanSpools,
    async ({ query, reply }) => {
      const found = await spoolman.spools(await filterOf(query), query)
      return sendTotal(reply, found).map((row) => presentSpoolmanSpool(row, currency))
    },
    sockets.onSocketFor('spool'),
  )

  endpoints.add(listSpoolmanGroups, async ({ query, reply }) => {
    const { group_by: groupBy } = query
    const groups = sendTotal(reply, await spoolman.groups(await filterOf(query), { ...query, groupBy }))
    const keys = groups.flatMap(({ key }) => key ?? []).join(',') || '0'
    const all = { offset: 0 }
    const filaments =
      groupBy === 'filament'
        ? (await spoolman.filaments({ texts: {}, numbers: { 'filament.id': keys } }, all)).rows
        : []
    const vendors =
      groupBy === 'vendor'
        ? (await spoolman.vendors({ texts: {}, numbers: { 'vendor.id': keys } }, all)).rows
        : []
    return groups.map(({ key, last_used: lastUsed, ...group }) => {
      const filament = filaments.find(({ id }) => String(id) === key)
      const vendor = vendors.find(({ id }) => String(id) === key)
      return {
        group_by: groupBy,
        key: key ?? undefined,
        spool_count: group.spool_count,
        in_use_count: group.in_use_count,
        total_remaining_weight: group.total_remaining_weight,
        last_used: lastUsed === null ? undefined : presentMoment(lastUsed),
        filament: filament && presentFilament(filament, currency),
        vendor: vendor && presentVendor(vendor),
      }
    })
  })

  endpoints.add(
    getSpoolmanVendor,
    async ({ params }) => presentVendor(await spoolman.vendor(params.id)),
    sockets.onSocketFor('vendor'),
  )
  endpoints.add(
    getSpoolmanFilament,
    async ({ params }) => presentFilament(await spoolman.filament(params.id), currency),
    sockets.onSocketFor('filament'),
  )
  endpoints.add(
    getSpoolmanSpool,
    async ({ params }) => presentSpoolmanSpool(await spoolman.spool(params.id), currency),
    sockets.onSocketFor('spool'),
  )
}

export function addSpoolmanRoutes(endpoints: Endpoints, deps: SpoolmanRoutesDeps): void {
  const { spoolman, currency } = deps
  addReadRoutes(endpoints, deps)

  endpoints.add(useSpoolmanSpool, async ({ params, body, audit }) => {
    const amount = { grams: body.use_weight ?? null, lengthMm: body.use_length ?? null }
    const row = await spoolman.use(params.id, amount, audit)
    return presentSpoolmanSpool(row, currency)
  })

  endpoints.add(measureSpoolmanSpool, async ({ params, body, audit }) =>
    presentSpoolmanSpool(await spoolman.measure(params.id, body.weight, audit), currency),
  )
}
