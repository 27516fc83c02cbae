import { listMaterials } from '@pegasus/contracts/filament/spools'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from '@/lib/http/api.ts'
import { t } from '@/lib/i18n/messages.ts'

const COMMON_MATERIALS = ['PLA', 'PETG', 'ABS', 'ASA', 'TPU', 'PA', 'PC', t('Resin')]

/** Returns materials to suggest: first those of the existing spools, then common ones. */
export const materialsQuery = queryOptions({
  queryKey: ['filament', 'offered-materials'],
  queryFn: async ({ signal }) => {
    const known = await callApi(listMaterials, { signal })
    return [...new Map([...known, ...COMMON_MATERIALS].map((each) => [each.toUpperCase(), each])).values()]
  },
})
