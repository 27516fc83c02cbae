import type { InventorySort } from '@pegasus/contracts/inventory/items'
import { exportInventory } from '@pegasus/contracts/inventory/csv'
import { useMutation } from '@tanstack/react-query'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callForBytes } from '@/lib/http/api.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { saveFile } from '@/lib/browser/save-file.ts'
import { filterQuery, type InventoryFilters } from '../inventory-address.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Returns the file name that the server has sent. */
const nameOf = (response: Response): string =>
  /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'inventory.csv'

/** Downloads the filtered items as a CSV file. The file can be imported again as it is. */
export function useCsvExport(filters: InventoryFilters, sort: InventorySort) {
  const exporting = useMutation({
    mutationFn: async () => {
      const response = await callForBytes(exportInventory, { query: filterQuery(filters, sort) })
      saveFile(await response.blob(), nameOf(response))
    },
    onError: (error) =>
      toast({
        title: errorMessage(error, t('Failed to export. Please try again.')),
        action: { label: t('Retry'), onSelect: () => exporting.mutate() },
      }),
  })
  return exporting
}
