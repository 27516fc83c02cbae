import type { Order } from '@pegasus/contracts/orders/orders'
import { getAddressLabel, getPackingSlip } from '@pegasus/contracts/orders/papers'
import { toastError } from '@/components/toast-error.ts'
import { packingSlipStyle } from '@/lib/browser/packing-slip-style.ts'
import { saveFile } from '@/lib/browser/save-file.ts'
import { callForBytes } from '@/lib/http/api.ts'

/** Functions that save the papers of an order as PDF files. A failure is shown in a toast. */
export function useOrderPapers({ id, order_number: number }: Order) {
  const params = { id }
  const save = async (name: string, answer: Promise<Response>) => {
    try {
      saveFile(await (await answer).blob(), `${name}-${number}.pdf`)
    } catch (error) {
      toastError(error)
    }
  }
  return {
    /**
     * Saves a packing slip with the pieces of one shipment. Without a shipment, it lists the pieces left to ship; if
     * none is left, the file has a slip for each shipment.
     */
    packingSlip: (shipmentId?: string) =>
      void save(
        'packing-slip',
        callForBytes(getPackingSlip, {
          params,
          query: { ...packingSlipStyle(), ...(shipmentId && { shipment_id: shipmentId }) },
        }),
      ),
    addressLabel: () => void save('address-label', callForBytes(getAddressLabel, { params, query: {} })),
  }
}
