import { useQueryClient } from '@tanstack/react-query'
import { ScanQrCode } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { errorMessage } from '../../lib/api-error.ts'
import { modelsQuery } from '../../lib/model-queries.ts'
import { modelAddress } from '../tabs.ts'
import { findScanned, searchTermOf } from './find-scanned.ts'

const CANDIDATES = 100

/** For fingers and for USB scanners, which type what they read and press Enter. */
export function ScanDialog({ onClose }: { onClose: () => void }) {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [isPending, setIsPending] = useState(false)
  const navigate = useNavigate()
  const queryClient = useQueryClient()

  async function open(): Promise<void> {
    const wanted = code.trim()
    if (wanted === '') return setError('Scan or type a code first.')
    setIsPending(true)
    setError(null)
    try {
      const found = findScanned(
        wanted,
        await queryClient.fetchQuery(modelsQuery({ search: searchTermOf(wanted), limit: CANDIDATES })),
      )
      if (typeof found === 'string') return setError(found)
      onClose()
      await navigate(modelAddress(found.id))
    } catch (failure) {
      setError(errorMessage(failure, 'The code could not be looked up. Please try again.'))
    } finally {
      setIsPending(false)
    }
  }

  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="sm"
      title="Scan"
      description="Scan with a handheld scanner, or type the title of a model."
      onSubmit={() => void open()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            Open
          </Button>
        </>
      }
    >
      <Field label="Code" error={error}>
        <Input
          value={code}
          onChange={(event) => {
            setCode(event.target.value)
            setError(null)
          }}
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          placeholder="Scan or type a code"
          icon={<ScanQrCode size={16} strokeWidth={1.75} aria-hidden />}
        />
      </Field>
    </Dialog>
  )
}
