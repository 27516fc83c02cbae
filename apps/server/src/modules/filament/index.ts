import type { Database } from '../../platform/database/database.ts'
import type { Endpoints } from '../../platform/http/endpoints.ts'
import { addFilamentRoutes } from './filament.routes.ts'
import { createFilament } from './filament.service.ts'

export { type FilamentBalance, readFilamentBalance, readFilamentFigures } from './filament.figures.ts'
export { type NewSpool, createSpool, takeFilament } from './filament.service.ts'

/** Spools and what is left on them. */
export function addFilament(endpoints: Endpoints, deps: { database: Database; currency: string }): void {
  const { database, currency } = deps
  addFilamentRoutes(endpoints, { filament: createFilament({ database }), currency })
}
