import {
  listSpoolmanFieldValues,
  listSpoolmanFields,
  removeSpoolmanField,
  saveSpoolmanField,
} from '@pegasus/contracts/filament/spoolman-fields'
import type { Endpoints } from '../../../../platform/http/endpoints.ts'
import type { ExtraFields } from './extra-fields.service.ts'

export function addExtraFieldRoutes(endpoints: Endpoints, { fields }: { fields: ExtraFields }): void {
  endpoints.add(listSpoolmanFields, ({ params }) => fields.list(params.entity))
  endpoints.add(listSpoolmanFieldValues, ({ params }) => fields.values(params.entity, params.key))
  endpoints.add(saveSpoolmanField, async ({ params: { entity, key }, body, audit }) => {
    await fields.save(entity, { ...body, key }, audit)
    return fields.list(entity)
  })
  endpoints.add(removeSpoolmanField, async ({ params: { entity, key }, audit }) => {
    await fields.remove(entity, key, audit)
    return fields.list(entity)
  })
}
