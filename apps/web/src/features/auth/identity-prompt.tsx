import { useEffect, useState } from 'react'
import { onDemand } from '@/lib/browser/loadable.tsx'
import { connectIdentityCheck } from '@/lib/session/reauthentication.ts'

const ConfirmIdentityDialog = onDemand(
  async () => (await import('./confirm-identity-dialog.tsx')).ConfirmIdentityDialog,
)

interface Question {
  onAnswer: (isProven: boolean) => void
}

/** Asks for a password or code when a call needs a recent sign-in. Mounted only once, in the app's shell. */
export function IdentityPrompt() {
  const [question, setQuestion] = useState<Question | null>(null)

  useEffect(
    () =>
      connectIdentityCheck(
        () =>
          new Promise<boolean>((resolve) => {
            const asked: Question = {
              onAnswer: (isProven) => {
                // A confirmation that arrives after Cancel must not close the next question.
                setQuestion((current) => (current === asked ? null : current))
                resolve(isProven)
              },
            }
            setQuestion(asked)
          }),
      ),
    [],
  )
  // After a sign-out, nobody can answer the question, so cancel it.
  useEffect(() => () => question?.onAnswer(false), [question])

  return question ? <ConfirmIdentityDialog {...question} /> : null
}
