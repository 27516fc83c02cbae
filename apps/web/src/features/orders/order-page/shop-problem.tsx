import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { serverText } from '@/lib/i18n/server-texts.ts'
import { t } from '@/lib/i18n/messages.ts'

/**
 * Lists the differences between an order here and in the shop. `notes` are messages of the server, one on each line.
 * Each message is translated on its own.
 */
export function ShopProblem({ notes }: { notes: string }) {
  return (
    <AlertBox tone="warning" title={t('The shop shows this order differently')} className="mb-4">
      {notes.split('\n').map((note) => (
        <p key={note}>{serverText(note)}</p>
      ))}
    </AlertBox>
  )
}
