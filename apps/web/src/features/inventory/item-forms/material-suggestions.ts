import { listMaterials } from '@pegasus/contracts/filament/spools'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from '@/lib/http/api.ts'

const USUAL = ['PLA', 'PETG', 'ABS', 'ASA', 'TPU', 'PA', 'PC', 'Resin']

/** Materials to offer: those that there are spools of, and the usual ones. */
export const materialsQuery = queryOptions({
  queryKey: ['filament', 'offered-materials'],
  queryFn: async ({ signal }) => {
    const known = await callApi(listMaterials, { signal })
    return [...new Map([...known, ...USUAL].map((each) => [each.toUpperCase(), each])).values()]
  },
})
