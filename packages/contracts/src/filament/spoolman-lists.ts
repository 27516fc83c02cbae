import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { SPOOLMAN_READ, SPOOLMAN_REFUSALS } from './spoolman.ts'

/** What programs made for Spoolman ask for to fill their lists and forms. */

const words = (path: `/${string}`, summary: string) =>
  defineEndpoint({
    method: 'GET',
    path,
    summary,
    tag: 'spoolman',
    access: SPOOLMAN_READ,
    success: { status: 200, body: z.array(z.string()) },
    errors: SPOOLMAN_REFUSALS,
  })

export const listSpoolmanMaterials = words('/spoolman/api/v1/material', 'Materials of all filaments')
export const listSpoolmanArticleNumbers = words(
  '/spoolman/api/v1/article-number',
  'Article numbers of all filaments',
)
export const listSpoolmanLotNumbers = words('/spoolman/api/v1/lot-number', 'Lot numbers of all spools')
export const listSpoolmanLocations = words('/spoolman/api/v1/location', 'Places where spools are')

const setting = z.object({
  /** As JSON: `"USD"` with its quotes. */
  value: z.string(),
  is_set: z.boolean(),
  type: z.enum(['boolean', 'number', 'string', 'array', 'object']),
})
export type SpoolmanSetting = z.output<typeof setting>

export const listSpoolmanSettings = defineEndpoint({
  method: 'GET',
  path: '/spoolman/api/v1/setting/',
  summary: 'Settings that programs read; they are made in the configuration',
  tag: 'spoolman',
  access: SPOOLMAN_READ,
  success: { status: 200, body: z.record(z.string(), setting) },
  errors: SPOOLMAN_REFUSALS,
})

export const getSpoolmanSetting = defineEndpoint({
  method: 'GET',
  path: '/spoolman/api/v1/setting/:key',
  summary: 'One setting',
  tag: 'spoolman',
  access: SPOOLMAN_READ,
  params: z.object({ key: z.string().check(z.minLength(1), z.maxLength(64)) }),
  success: { status: 200, body: setting },
  errors: [...SPOOLMAN_REFUSALS, 'NOT_FOUND'],
})

export const listSpoolmanFields = defineEndpoint({
  method: 'GET',
  path: '/spoolman/api/v1/field/:entity',
  summary: 'Extra fields of vendors, filaments or spools: there are none here',
  tag: 'spoolman',
  access: SPOOLMAN_READ,
  params: z.object({ entity: z.enum(['vendor', 'filament', 'spool']) }),
  success: { status: 200, body: z.array(z.object({ key: z.string(), name: z.string() })) },
  errors: SPOOLMAN_REFUSALS,
})
