import {
  exportSpoolmanFilaments,
  exportSpoolmanSpools,
  exportSpoolmanVendors,
} from '@pegasus/contracts/filament/spoolman-lists'
import type { FastifyReply } from 'fastify'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import { type SpoolExport, FILAMENTS, SPOOLS, VENDORS, toCsv, toRow } from './spool-export.ts'
import { presentFilament, presentSpoolmanSpool, presentVendor } from './spoolman.present.ts'
import type { Spoolman } from './spoolman.service.ts'

const ALL = { offset: 0 }
const ANY = { texts: {}, numbers: {} }

const send = (reply: FastifyReply, fmt: 'csv' | 'json', table: SpoolExport, things: readonly object[]) =>
  fmt === 'csv'
    ? reply.type('text/csv; charset=utf-8').send(toCsv(table, things))
    : reply
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(things.map((thing) => toRow(table, thing))))

export function addSpoolmanExportRoutes(
  endpoints: Endpoints,
  { spoolman, currency }: { spoolman: Spoolman; currency: string },
): void {
  endpoints.add(exportSpoolmanSpools, async ({ query, reply }) => {
    const { rows } = await spoolman.spools({ ...ANY, allowArchived: query.allow_archived }, ALL)
    const spools = rows.map((row) => presentSpoolmanSpool(row, currency))
    return send(reply, query.fmt, SPOOLS, spools)
  })

  endpoints.add(exportSpoolmanFilaments, async ({ query, reply }) => {
    const { rows } = await spoolman.filaments(ANY, ALL)
    const filaments = rows.map((row) => presentFilament(row, currency))
    return send(reply, query.fmt, FILAMENTS, filaments)
  })

  endpoints.add(exportSpoolmanVendors, async ({ query, reply }) => {
    const { rows } = await spoolman.vendors(ANY, ALL)
    return send(reply, query.fmt, VENDORS, rows.map(presentVendor))
  })
}
