import type { ReactNode } from 'react'
import { Button } from '../components/ui/actions/button.tsx'
import { Dialog } from '../components/ui/overlays/dialog.tsx'
import { Boundary, NOT_KNOWN_YET, ReloadButton, useFault } from './error-page.tsx'
import { t } from '@/lib/i18n/messages.ts'

function BrokenDialog({ error, onClose }: { error: unknown; onClose: () => void }) {
  const fault = useFault(error) ?? NOT_KNOWN_YET
  return (
    <Dialog
      isOpen
      size="sm"
      onClose={onClose}
      title={fault.title}
      footer={
        <>
          <Button onClick={onClose}>{t('Not now')}</Button>
          <ReloadButton>{fault.reload}</ReloadButton>
        </>
      }
    >
      <p className="text-ink-2">
        {t('{text} Reloading discards everything that you typed and have not saved.', { text: fault.text })}
      </p>
    </Dialog>
  )
}

/** Shows an error instead of a dialog that fails. The page below it stays, with all typed text. */
export const DialogBoundary = ({ onClose, children }: { onClose: () => void; children: ReactNode }) => (
  <Boundary
    fallback={(error, leave) => (
      <BrokenDialog
        error={error}
        onClose={() => {
          onClose()
          leave()
        }}
      />
    )}
  >
    {children}
  </Boundary>
)
