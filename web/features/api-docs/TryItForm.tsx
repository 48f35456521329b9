import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../components/CopyButton.js'
import { Notice } from '../../components/Notice.js'
import { Field } from '../../forms/Field.js'
import { isolateLtr } from '../../lib/format.js'
import { buildRequest, toCurl } from './build-request.js'
import { CodeBlock } from './CodeBlock.js'
import { JSON_TYPE, type Operation } from './openapi-document.js'
import { type ApiResponse, sendRequest } from './send-request.js'

interface Props {
  operation: Operation
  server: string
  token: string
}

/** The same call as a line for the shell, and sent from here. What it does is done. */
export function TryItForm({ operation, server, token }: Props) {
  const { t } = useTranslation('api')
  const { parameters, requestBody } = operation
  const example = requestBody?.content[JSON_TYPE]?.example
  const [values, setValues] = useState<Record<string, string>>({})
  const [body, setBody] = useState(example === undefined ? '' : JSON.stringify(example, null, 2))
  const [answer, setAnswer] = useState<ApiResponse | null>(null)
  const [isBusy, setBusy] = useState(false)
  const hasBinaryBody = requestBody !== undefined && example === undefined
  const filled = { values, body, token }
  const line = toCurl(buildRequest(operation, filled, server)) + (hasBinaryBody ? ' --data-binary @FILE' : '')

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setAnswer(await sendRequest(operation, filled))
    setBusy(false)
  }
  return (
    <form className="stack" onSubmit={submit}>
      <h3>{t('try.heading')}</h3>
      {parameters.map(({ name, required }) => (
        <Field key={name} label={name} optional={!required}>
          {(control) => (
            <input
              {...control}
              className="mono"
              dir="ltr"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required={required}
              value={values[name] ?? ''}
              onChange={({ target }) => setValues({ ...values, [name]: target.value })}
            />
          )}
        </Field>
      ))}
      {example !== undefined && (
        <Field label={t('body')}>
          {(control) => (
            <textarea
              {...control}
              dir="ltr"
              spellCheck={false}
              value={body}
              onChange={({ target }) => setBody(target.value)}
            />
          )}
        </Field>
      )}
      <CodeBlock>{line}</CodeBlock>
      <div className="actions">
        {!hasBinaryBody && (
          <button type="submit" className="button primary" aria-disabled={isBusy}>
            {t('try.send')}
          </button>
        )}
        <CopyButton text={line}>{t('try.copy')}</CopyButton>
      </div>
      {answer && <ResponseView answer={answer} />}
    </form>
  )
}

function ResponseView({ answer: { status, text } }: { answer: ApiResponse }) {
  const { t } = useTranslation('api')
  if (status === null) {
    return (
      <Notice kind="bad" role="alert">
        {t('common:errors.unreachable')}
      </Notice>
    )
  }
  return (
    <div role="status">
      <p>{t('try.answer', { status: isolateLtr(status) })}</p>
      {text && <CodeBlock>{text}</CodeBlock>}
    </div>
  )
}
