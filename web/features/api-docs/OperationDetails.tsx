import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Column, Table } from '../../components/Table.js'
import { describeLimits, JSON_TYPE, type Operation, type Schema, typeName } from './openapi-document.js'
import { TryItForm } from './TryItForm.js'

interface Props {
  operation: Operation
  server: string
  token: string
}

/** One operation: a summary line, and the details when it is expanded. */
export function OperationDetails({ operation, server, token }: Props) {
  const { t } = useTranslation('api-docs')
  const [isOpen, setOpen] = useState(false)
  const { method, path, summary, parameters, requestBody, responses } = operation
  const body = requestBody?.content[JSON_TYPE]?.schema
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className={`method ${method.toLowerCase()}`} dir="ltr">
          {method}
        </span>
        <code dir="ltr">
          {Array.from(path.matchAll(/\/[^/]*/g), ({ 0: segment, index }) => (
            <Fragment key={index}>
              <wbr />
              {segment}
            </Fragment>
          ))}
        </code>
        <span className="hint" lang="en" dir="ltr">
          {summary}
        </span>
      </summary>
      {isOpen && (
        <>
          {parameters.length > 0 && (
            <Fields
              heading={t('parameters')}
              fields={parameters.map(({ name, schema, required = false }) => ({ name, schema, required }))}
            />
          )}
          {body && <Fields heading={t('body')} fields={fieldsOf(body)} />}
          {requestBody && !body && <p>{t('binary-body')}</p>}
          <h3>{t('responses')}</h3>
          <dl className="facts">
            {Object.entries(responses).map(([status, { description, content }]) => (
              <ResponseFields
                key={status}
                status={status}
                description={description}
                schema={content?.[JSON_TYPE]?.schema}
              />
            ))}
          </dl>
          <TryItForm operation={operation} server={server} token={token} />
        </>
      )}
    </details>
  )
}

interface FieldRow {
  name: string
  schema: Schema
  required: boolean
}

const fieldsOf = ({ properties = {}, required = [] }: Schema): FieldRow[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, schema, required: required.includes(name) }))

function Fields({ heading, fields }: { heading: string; fields: FieldRow[] }) {
  const { t } = useTranslation('api-docs')
  if (fields.length === 0) return null
  const columns: Column<FieldRow>[] = [
    { name: t('field.name'), render: ({ name }) => <code dir="ltr">{name}</code> },
    { name: t('field.type'), render: ({ schema }) => <code dir="ltr">{typeName(schema)}</code> },
    {
      name: t('field.description'),
      render: ({ schema, required }) => {
        const texts = [schema.description, describeLimits(schema)].filter(Boolean)
        if (!required && texts.length === 0) return null
        return (
          <>
            {required && <span className="badge">{t('field.required')}</span>}{' '}
            <span lang="en" dir="ltr">
              {texts.join('; ')}
            </span>
          </>
        )
      },
    },
  ]
  return (
    <>
      <h3>{heading}</h3>
      <Table name={heading} columns={columns} items={fields} getKey={({ name }) => name} />
    </>
  )
}

function ResponseFields({
  status,
  description,
  schema,
}: {
  status: string
  description: string
  schema: Schema | undefined
}) {
  const fields = status < '300' && schema ? fieldsOf(schema.items ?? schema) : []
  return (
    <>
      <dt dir="ltr">{status}</dt>
      <dd lang="en" dir="ltr">
        {fields.length > 0 ? fields.map(({ name }) => <code key={name}>{name}</code>) : description.replaceAll('`', '')}
      </dd>
    </>
  )
}
