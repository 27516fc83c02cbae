import { useRef, useState } from 'react'

interface CodeOptions {
  /** Has the code judged; what it throws is told. */
  onCheck: (code: string) => Promise<void>
  describeError: (error: unknown) => string
  /** What to say of an empty field, or of one that lacks digits. */
  incomplete: string
  minLength: number
}

/** A code, or a password, on its way from somebody's hand to the server's judgement. */
export function useCode({ onCheck, describeError, incomplete, minLength }: CodeOptions) {
  const [code, setCode] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  const [isPending, setIsPending] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  // The last digit sends the code, and Enter right behind it must not send it again.
  const isBusy = useRef(false)

  function tell(sentence: string): void {
    setFailure(sentence)
    // Whatever is typed next takes its place.
    input.current?.select()
  }

  async function submit(given: string): Promise<void> {
    if (isBusy.current) return
    if (given.length < minLength) return tell(incomplete)
    setFailure(null)
    isBusy.current = true
    setIsPending(true)
    try {
      await onCheck(given)
    } catch (error) {
      tell(describeError(error))
    }
    isBusy.current = false
    setIsPending(false)
  }

  return {
    failure,
    isPending,
    submit: () => void submit(code),
    reset: () => {
      setCode('')
      setFailure(null)
    },
    field: {
      ref: input,
      value: code,
      onChange: (text: string) => {
        if (!isPending) setCode(text)
      },
      onComplete: (text: string) => void submit(text),
    },
  }
}
