"""Products by their purpose: of two with one purpose, one usually replaces the other."""

from tacit.language.statements.vocabulary import word_set

_PRODUCTS = {
    "database": """
        mysql postgres postgresql mariadb sqlite oracle mongodb mongo dynamodb cassandra cockroachdb
        couchdb firestore firebase supabase planetscale neo4j duckdb sql_server mssql db2 aurora
        tidb spanner scylladb rethinkdb arangodb surrealdb turso neon
    """,
    "warehouse": "snowflake bigquery redshift clickhouse databricks druid",
    "cache": "redis memcached valkey keydb dragonfly varnish hazelcast",
    "queue": """
        kafka rabbitmq sqs pulsar nats zeromq activemq celery sidekiq redpanda kinesis pubsub
        bullmq temporal
    """,
    "search": "elasticsearch opensearch solr algolia meilisearch typesense lucene sphinx",
    "ci": """
        jenkins circleci travis travisci github_actions gitlab_ci teamcity bamboo buildkite drone
        azure_pipelines azure_devops bitbucket_pipelines concourse argocd woodpecker
    """,
    "ui": """
        react vue angular svelte sveltekit solidjs preact ember backbone jquery next_js nextjs nuxt
        htmx qwik astro lit alpine remix next.js vue.js nuxt.js solid.js
    """,
    "mobile": "react_native flutter xamarin ionic cordova swiftui capacitor maui",
    "server": """
        django flask fastapi rails express nestjs spring spring_boot laravel symfony phoenix gin
        koa sinatra fastify hono actix axum ktor asp.net
    """,
    "language": """
        python java javascript typescript golang rust ruby php kotlin scala elixir erlang
        haskell clojure perl c++ c# f# lua julia dart ocaml zig
    """,
    "runtime": "node nodejs node.js deno jvm dotnet",
    "editor": """
        vs_code vscode visual_studio_code vim neovim nvim emacs sublime sublime_text intellij
        pycharm webstorm zed atom nano helix cursor textmate notepad++ eclipse netbeans rider
        windsurf phpstorm goland jetbrains
    """,
    "notes": """
        notion obsidian evernote onenote roam logseq apple_notes joplin bear craft simplenote
        google_keep standard_notes
    """,
    "wiki": "confluence mediawiki gitbook bookstack docusaurus mkdocs readthedocs outline nuclino",
    "chat": """
        slack microsoft_teams ms_teams teams discord mattermost zulip rocket.chat google_chat
        hipchat element matrix
    """,
    "messenger": "whatsapp telegram signal imessage messenger viber threema wechat line",
    "call": "zoom google_meet webex skype jitsi facetime whereby",
    "tracker": """
        jira linear trello asana basecamp monday.com clickup youtrack github_issues shortcut
        redmine bugzilla todoist ticktick things omnifocus microsoft_to_do height plane
    """,
    "cloud": """
        aws gcp azure google_cloud hetzner digitalocean heroku render fly.io linode vultr
        cloudflare vercel netlify scaleway ovh railway oracle_cloud ibm_cloud
    """,
    "forge": "github gitlab bitbucket gitea codeberg sourcehut gogs forgejo",
    "orchestrator": "kubernetes nomad docker_swarm swarm ecs mesos k3s openshift docker_compose",
    "container": "docker podman containerd lxc",
    "infrastructure": "terraform pulumi cloudformation opentofu cdk",
    "provisioning": "ansible puppet chef saltstack salt",
    "monitoring": """
        datadog grafana prometheus new_relic zabbix nagios dynatrace honeycomb cloudwatch
        sentry rollbar bugsnag raygun splunk loki mimir graylog kibana elk logstash fluentd
    """,
    "packages": "npm yarn pnpm bun pip poetry uv pipenv conda maven gradle cargo composer bundler",
    "bundler": "webpack vite rollup parcel esbuild turbopack rspack grunt gulp snowpack",
    "tests": """
        jest vitest mocha jasmine cypress playwright selenium puppeteer pytest unittest rspec
        junit testng nunit karma testcafe
    """,
    "linter": "eslint biome tslint ruff flake8 pylint rubocop golangci oxlint standardjs",
    "formatter": "prettier black autopep8 yapf gofmt rustfmt",
    "browser": "chrome firefox safari edge brave opera vivaldi arc chromium librewolf",
    "system": """
        windows macos linux ubuntu debian fedora arch nixos mint centos rhel freebsd chromeos
        windows_10 windows_11 alpine_linux
    """,
    "shell": "bash zsh fish powershell nushell",
    "mail": """
        gmail outlook protonmail fastmail thunderbird apple_mail hey yahoo_mail tutanota mailchimp
        sendgrid mailgun postmark ses resend sendinblue brevo
    """,
    "payment": "stripe paypal adyen braintree klarna mollie paddle square worldpay",
    "login": "auth0 okta keycloak cognito clerk firebase_auth entra ory supertokens",
    "design": "figma sketch adobe_xd invision penpot framer canva photoshop affinity gimp",
    "streaming": "netflix disney+ hulu hbo prime_video",
    "music": "spotify apple_music tidal deezer youtube_music soundcloud",
    "phone": "iphone android pixel samsung_galaxy fairphone oneplus",
    "model": """
        gpt claude gemini llama mistral gpt-4 gpt-4o chatgpt copilot deepseek qwen codex
        perplexity
    """,
    "accounting": "quickbooks xero datev lexoffice freshbooks sage wave sevdesk",
    "crm": "salesforce hubspot pipedrive zoho zendesk intercom freshdesk",
    "storage": """
        s3 r2 cloudflare_r2 dropbox google_drive onedrive nextcloud icloud box minio gcs backblaze
    """,
    "secrets": """
        vault aws_secrets_manager secrets_manager doppler sops 1password bitwarden lastpass keepass
        dashlane
    """,
    "api": "rest graphql grpc soap trpc websockets",
    "tongue": """
        english german french spanish italian portuguese dutch polish russian japanese chinese
        korean arabic turkish swedish norwegian danish finnish greek czech hungarian ukrainian
        deutsch englisch französisch spanisch anglais français allemand inglés francés alemán
        español
    """,
    "versioning": "git svn mercurial perforce subversion",
    "analytics": "ga4 google_analytics plausible matomo mixpanel amplitude posthog fathom",
}

PRODUCT_KINDS = {name: kind for kind, listed in _PRODUCTS.items() for name in listed.split()}
"""What each product is for, by its name; the words of a name are joined by `_`."""

LONG_PRODUCT_NAMES: dict[str, list[tuple[str, ...]]] = {}
"""Names of several words by the first of them, the longest first."""

for _name in sorted((name for name in PRODUCT_KINDS if "_" in name), key=len, reverse=True):
    _parts = tuple(_name.split("_"))
    LONG_PRODUCT_NAMES.setdefault(_parts[0], []).append(_parts)

AMBIGUOUS_PRODUCTS = word_set("""
    teams line element matrix signal messenger things height plane square box salt chef atom bear
    craft edge arc mint wave sage outline hey rider helix spring swift standard shortcut linear
    render salt signal express next nuxt phoenix gin lit astro remix alpine ember backbone rails
    drone concourse bamboo travis zoom brave opera black oracle druid aurora neon spanner vault
    sketch framer notion cursor eclipse roam fish bash monday gin clerk ory sphinx lucene temporal
    cargo composer bundler parcel puppet parcel safari chrome canva resend postmark hulu
    windows swarm rest soap git arch mongo stripe llama bun uv pip yarn maven gradle crystal
    paddle copilot gemini codex claude pixel android azure rust ruby java go dart lua julia
    python perl vite jest mocha karma jasmine cypress grunt gulp biome varnish celery
    dragonfly fathom amplitude plausible node
    """)
"""Products whose names are other words too; they count with a capital, or alone."""

PRODUCT_NOUNS = {
    **dict.fromkeys(("database", "db", "datenbank", "base", "datastore", "dbms"), "database"),
    **dict.fromkeys(("cache", "caching"), "cache"),
    **dict.fromkeys(("ci", "pipeline", "pipelines", "builds", "cicd", "ci/cd"), "ci"),
    **dict.fromkeys(("frontend", "ui", "front", "web_frontend"), "ui"),
    **dict.fromkeys(("editor", "ide", "éditeur"), "editor"),
    **dict.fromkeys(("browser", "navigateur", "navegador"), "browser"),
    **dict.fromkeys(("queue", "broker", "queueing", "queuing"), "queue"),
    **dict.fromkeys(("chat", "messaging"), "chat"),
    **dict.fromkeys(("tracker", "tracking", "tickets", "ticket", "issues"), "tracker"),
    **dict.fromkeys(("hosting", "cloud", "host"), "cloud"),
    **dict.fromkeys(("linter", "linting"), "linter"),
    **dict.fromkeys(("formatter", "formatting"), "formatter"),
    **dict.fromkeys(("shell", "terminal"), "shell"),
    **dict.fromkeys(("notes", "note"), "notes"),
    **dict.fromkeys(("bundler", "bundling"), "bundler"),
    **dict.fromkeys(("payments", "payment"), "payment"),
    **dict.fromkeys(("monitoring", "observability"), "monitoring"),
    **dict.fromkeys(("orchestration", "orchestrator"), "orchestrator"),
    **dict.fromkeys(("wiki",), "wiki"),
    **dict.fromkeys(("language",), "language"),
    **dict.fromkeys(("packagemanager",), "packages"),
}
"""What people call the kinds of products."""
