{{- define "poolgate.name" -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "poolgate.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "poolgate.labels" -}}
{{ include "poolgate.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "poolgate.requireDatabase" -}}
{{- if gt (int .Values.replicaCount) 1 -}}
{{- $url := index .Values.env "DATABASE_URL" | default "" -}}
{{- if hasPrefix "sqlite:" $url -}}
{{- fail (printf "env.DATABASE_URL names a SQLite database, which serves one replica, and replicaCount is %v. Set a postgres:// URL, or replicaCount=1." .Values.replicaCount) -}}
{{- end -}}
{{- if not (or $url .Values.databaseUrlKey) -}}
{{- fail (printf "DATABASE_URL is required for replicaCount=%v: without it each pod has a database of its own. Set databaseUrlKey to the key of existingSecret that holds a postgres:// URL, or replicaCount=1." .Values.replicaCount) -}}
{{- end -}}
{{- end -}}
{{- end -}}
