import { PRODUCT_NAME } from '@pegasus/contracts/client-config'
import { Copy, Download, Printer } from 'lucide-react'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { useCurrentUser } from '@/lib/session/session.ts'
import { useCopied } from './use-copied.ts'
import { ICON } from '@/components/ui/icon-props.ts'
import { t } from '@/lib/i18n/messages.ts'

interface RecoveryCodesDialogProps {
  codes: readonly string[]
  onStored: () => void
}

/** Splits a code into groups: `abcd-efgh-jkmn-pqrs`. The server ignores the hyphens. */
const grouped = (code: string): string => code.replace(/(.{4})(?=.)/g, '$1-')

/** Shows the recovery codes once. It closes only after the person confirms that the codes are stored. */
export function RecoveryCodesDialog({ codes, onStored }: RecoveryCodesDialogProps) {
  const { username } = useCurrentUser()
  const lines = codes.map(grouped)
  const heading = t('{PRODUCT_NAME} recovery codes of {username}', { PRODUCT_NAME, username })
  const { isCopied, copy } = useCopied(lines.join('\n'))
  return (
    <Dialog
      isOpen
      onClose={onStored}
      isDismissible={false}
      title={t('Store your recovery codes')}
      description={t('If your phone is lost or broken, each code signs you in once.')}
      footer={
        <Button variant="primary" onClick={onStored}>
          {t('I have stored them')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <div data-print className="rounded-control bg-sunken px-4 py-3 print:bg-transparent">
          <p className="mb-2 hidden text-body font-semibold print:block">{heading}</p>
          <ol
            aria-label={t('Recovery codes')}
            className="grid grid-cols-2 gap-x-6 gap-y-1.5 font-mono text-body max-[26rem]:grid-cols-1"
          >
            {lines.map((line) => (
              <li key={line} className="whitespace-nowrap">
                {line}
              </li>
            ))}
          </ol>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button icon={<Copy {...ICON} />} onClick={copy}>
            {isCopied ? t('Copied') : t('Copy')}
          </Button>
          <Button
            icon={<Download {...ICON} />}
            onClick={() => saveText(`${heading}\n\n${lines.join('\n')}\n`)}
          >
            {t('Download')}
          </Button>
          <Button icon={<Printer {...ICON} />} onClick={() => print()}>
            {t('Print')}
          </Button>
        </div>
        <AlertBox tone="warning" title={t('This is the only time they are shown.')}>
          {t('Do not store them on your phone. If you lose them, replace them here.')}
        </AlertBox>
      </div>
    </Dialog>
  )
}

function saveText(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = address
  link.download = 'pegasus-ops-recovery-codes.txt'
  link.click()
  // The browser reads the URL only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
