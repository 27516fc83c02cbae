import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import { ExternalLink, Printer } from 'lucide-react'
import { Button, buttonClass } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { printLabels } from '@/lib/print-labels.ts'
import { locationLabel } from './item-details.ts'

interface LabelPictureDialogProps {
  item: InventoryItem
  onClose: () => void
}

/** Shows the code of an item large enough to scan it from the screen. */
export const LabelPictureDialog = ({ item, onClose }: LabelPictureDialogProps) => (
  <Dialog
    isOpen
    onClose={onClose}
    size="sm"
    title="QR Code"
    description={<bdi>{item.name}</bdi>}
    footer={
      <>
        {item.qr_code_path ? (
          <a
            href={item.qr_code_path}
            target="_blank"
            rel="noopener noreferrer"
            className={buttonClass({ variant: 'ghost' })}
          >
            <ExternalLink size={16} strokeWidth={1.75} aria-hidden />
            Open picture
          </a>
        ) : null}
        <Button
          variant="primary"
          icon={<Printer size={16} strokeWidth={1.75} aria-hidden />}
          onClick={() => {
            onClose()
            printLabels([{ kind: 'item', id: item.id }])
          }}
        >
          Print label
        </Button>
      </>
    }
  >
    {/* White in both themes: a reader wants the code dark on light. */}
    <div className="mx-auto w-fit rounded-control bg-white p-3">
      <img src={item.qr_code_path ?? undefined} alt={`Code ${item.label_code}`} className="size-56" />
    </div>
    <p className="mt-3 text-center">
      <span className="font-semibold code">{item.label_code}</span>
      <span className="text-ink-3 code"> · {item.sku}</span>
    </p>
    {locationLabel(item) ? (
      <p className="text-center text-label text-ink-2">
        <bdi>{locationLabel(item)}</bdi>
      </p>
    ) : null}
  </Dialog>
)
