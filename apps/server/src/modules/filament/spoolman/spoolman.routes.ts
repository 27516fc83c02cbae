import {
  SPOOLMAN_VERSION,
  getSpoolmanFilament,
  getSpoolmanHealth,
  getSpoolmanInfo,
  getSpoolmanSpool,
  getSpoolmanVendor,
  listSpoolmanFilaments,
  listSpoolmanSpools,
  listSpoolmanVendors,
  measureSpoolmanSpool,
  useSpoolmanSpool,
} from '@pegasus/contracts/filament/spoolman'
import type { FastifyReply } from 'fastify'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { SpoolSockets } from './spoolman-sockets.ts'
import { presentFilament, presentSpoolmanSpool, presentVendor } from './spoolman.present.ts'
import type { Spoolman } from './spoolman.service.ts'

interface SpoolmanRoutesDeps {
  spoolman: Spoolman
  sockets: SpoolSockets
  currency: string
}

const sendTotal = <T>(reply: FastifyReply, found: { rows: T[]; total: number }): T[] => {
  reply.header('x-total-count', String(found.total))
  return found.rows
}

function addReadRoutes(endpoints: Endpoints, { spoolman, sockets, currency }: SpoolmanRoutesDeps): void {
  endpoints.add(getSpoolmanInfo, async () => ({
    version: SPOOLMAN_VERSION,
    debug_mode: false,
    automatic_backups: false,
    // Do not reveal the folders of our own data.
    data_dir: '',
    logs_dir: '',
    backups_dir: '',
    db_type: 'postgres',
  }))
  endpoints.add(getSpoolmanHealth, async () => ({ status: 'healthy' as const }))

  endpoints.add(listSpoolmanVendors, async ({ query, reply }) => {
    const texts = { 'vendor.name': query.name, 'vendor.external_id': query.external_id }
    const found = await spoolman.vendors({ texts, numbers: {} }, query)
    return sendTotal(reply, found).map(presentVendor)
  })

  endpoints.add(listSpoolmanFilaments, async ({ query, reply }) => {
    const texts = {
      'filament.name': query.name,
      'filament.material': query.material,
      'filament.article_number': query.article_number,
      'filament.external_id': query.external_id,
      'vendor.name': query['vendor.name'] ?? query.vendor_name,
    }
    const numbers = { 'vendor.id': query['vendor.id'] ?? query.vendor_id }
    const found = await spoolman.filaments({ texts, numbers }, query)
    return sendTotal(reply, found).map((row) => presentFilament(row, currency))
  })

  endpoints.add(
    listSpoolmanSpools,
    async ({ query, reply }) => {
      const texts = {
        'filament.name': query['filament.name'] ?? query.filament_name,
        'filament.material': query['filament.material'] ?? query.filament_material,
        'vendor.name': query['filament.vendor.name'] ?? query.vendor_name,
        location: query.location,
        lot_nr: query.lot_nr,
      }
      const numbers = {
        'filament.id': query['filament.id'] ?? query.filament_id,
        'vendor.id': query['filament.vendor.id'] ?? query.vendor_id,
      }
      const filter = { texts, numbers, allowArchived: query.allow_archived }
      const found = await spoolman.spools(filter, query)
      return sendTotal(reply, found).map((row) => presentSpoolmanSpool(row, currency))
    },
    sockets.onSocket,
  )

  endpoints.add(getSpoolmanVendor, async ({ params }) => presentVendor(await spoolman.vendor(params.id)))
  endpoints.add(getSpoolmanFilament, async ({ params }) =>
    presentFilament(await spoolman.filament(params.id), currency),
  )
  endpoints.add(getSpoolmanSpool, async ({ params }) =>
    presentSpoolmanSpool(await spoolman.spool(params.id), currency),
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
