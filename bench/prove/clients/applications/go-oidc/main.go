// An application with go-oidc that serves one browser.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

type stored struct {
	state, nonce, verifier string
	token                  *oauth2.Token
}

func main() {
	ctx := context.Background()
	application := os.Getenv("APPLICATION")
	provider, err := oidc.NewProvider(ctx, os.Getenv("ISSUER"))
	if err != nil {
		panic(err)
	}
	config := oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  application + "/callback",
		Scopes:       []string{oidc.ScopeOpenID, "email"},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})
	var endpoints struct {
		EndSession string `json:"end_session_endpoint"`
	}
	if err := provider.Claims(&endpoints); err != nil {
		panic(err)
	}
	kept := stored{}

	showUser := func(response http.ResponseWriter, request *http.Request) {
		user, err := provider.UserInfo(request.Context(), oauth2.StaticTokenSource(kept.token))
		if err != nil {
			http.Error(response, err.Error(), http.StatusInternalServerError)
			return
		}
		json.NewEncoder(response).Encode(map[string]any{"email": user.Email, "verified": user.EmailVerified})
	}
	http.HandleFunc("/sign-in", func(response http.ResponseWriter, request *http.Request) {
		kept.state, kept.nonce, kept.verifier = oauth2.GenerateVerifier(), oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
		link := config.AuthCodeURL(kept.state, oidc.Nonce(kept.nonce), oauth2.S256ChallengeOption(kept.verifier))
		http.Redirect(response, request, link, http.StatusFound)
	})
	http.HandleFunc("/callback", func(response http.ResponseWriter, request *http.Request) {
		query := request.URL.Query()
		if query.Get("state") != kept.state {
			http.Error(response, "another state", http.StatusBadRequest)
			return
		}
		token, err := config.Exchange(request.Context(), query.Get("code"), oauth2.VerifierOption(kept.verifier))
		if err != nil {
			http.Error(response, err.Error(), http.StatusInternalServerError)
			return
		}
		raw, _ := token.Extra("id_token").(string)
		checked, err := verifier.Verify(request.Context(), raw)
		if err == nil {
			err = checked.VerifyAccessToken(token.AccessToken)
		}
		if err != nil || checked.Nonce != kept.nonce {
			http.Error(response, "an invalid ID token", http.StatusInternalServerError)
			return
		}
		kept.token = token
		http.Redirect(response, request, "/", http.StatusFound)
	})
	http.HandleFunc("/renew", func(response http.ResponseWriter, request *http.Request) {
		renewed, err := config.TokenSource(request.Context(), &oauth2.Token{RefreshToken: kept.token.RefreshToken}).Token()
		if err != nil {
			http.Error(response, err.Error(), http.StatusInternalServerError)
			return
		}
		kept.token = renewed
		showUser(response, request)
	})
	http.HandleFunc("/sign-out", func(response http.ResponseWriter, request *http.Request) {
		kept = stored{}
		query := url.Values{"client_id": {config.ClientID}, "post_logout_redirect_uri": {application + "/"}}
		http.Redirect(response, request, endpoints.EndSession+"?"+query.Encode(), http.StatusFound)
	})
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		if kept.token == nil {
			response.Write([]byte("signed out"))
			return
		}
		showUser(response, request)
	})
	panic(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
