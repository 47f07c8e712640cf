.class public LS;
.super Ljava/lang/Object;
.source "S.smali"

.method public static s0(LCtx;III)I
    .registers 19
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 3
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, -106
    const/16 v10, -259
    const/16 v11, 254
    const/16 v12, -291
    const/16 v13, -194
    const/16 v14, -66
    :b0
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v2, v7, LA0;->f:I
    const-class v7, LA0;
    and-int/lit8 v8, v3, 3
    div-int v3, v4, v8
    return v3
    :b1
    goto/32 :b6
    :b2
    move-object/from16 v7, p0
    invoke-virtual {v7, v3}, LCtx;->mix(I)I
    int-to-long v5, v1
    mul-long/2addr v5, v5
    long-to-int v3, v5
    const v10, 645249082
    int-to-long v5, v1
    mul-long/2addr v5, v5
    long-to-int v4, v5
    if-lt v1, v3, :b9
    :b3
    goto/16 :b11
    :b4
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v4, v3}, LU0;->m0(LCtx;III)I
    move-result v11
    if-gez v4, :fuel1
    :b5
    shl-int v4, v14, v12
    move-object/from16 v7, p0
    invoke-virtual {v7, v3}, LCtx;->mix(I)I
    if-lez v2, :b12
    :b6
    and-int/lit8 v8, v3, 31
    packed-switch v8, :packed2
    :b7
    rem-int/lit16 v4, v1, 2504
    rem-int/lit16 v1, v2, 2872
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v2, v1}, LS;->s2(LCtx;III)I
    move-result v3
    const-string v7, "s\n:b1"
    if-lt v2, v2, :fuel4
    :b8
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v1, v7, LA0;->f:I
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v4, v4}, LS;->s0(LCtx;III)I
    move-result v1
    if-gt v1, v3, :fuel5
    :b9
    mul-int v1, v10, v1
    and-int/lit8 v8, v4, 3
    div-int v9, v9, v8
    sub-int/2addr v2, v4
    const v1, 1639491960
    if-gt v4, v1, :fuel6
    :b10
    :b11
    :b12
    and-int/lit8 v8, v4, 3
    div-int v10, v4, v8
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v1, v7, LA0;->f:I
    add-int v2, v1, v4
    if-ne v1, v4, :fuel7
    :b13
    mul-int/2addr v3, v1
    int-to-long v5, v2
    mul-long/2addr v5, v5
    long-to-int v4, v5
    rem-int/lit16 v4, v1, 2489
    and-int/lit8 v8, v3, 3
    rem-int v2, v2, v8
    if-lez v11, :fuel8
    goto/32 :exit
    :fuel1
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b4
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b0
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel7
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b12
    :fuel8
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b10
    :exit
    return v1
    :packed2
    .packed-switch 2
    .end packed-switch
.end method

.method public static s1(LCtx;III)I
    .registers 55
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 20
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, 188
    const/16 v10, -281
    const/16 v11, 281
    const/16 v12, -141
    const/16 v13, -294
    const/16 v14, 251
    const/16 v15, -100
    const/16 v16, 168
    const/16 v17, 228
    const/16 v18, -29
    const/16 v19, -275
    const/16 v20, -140
    const/16 v21, -56
    const/16 v22, -69
    const/16 v23, 136
    const/16 v24, -261
    const/16 v25, 223
    const/16 v26, -286
    const/16 v27, -252
    const/16 v28, -182
    const/16 v29, -116
    const/16 v30, 79
    const/16 v31, 26
    const/16 v32, 208
    const/16 v33, 229
    const/16 v34, -157
    const/16 v35, -44
    const/16 v36, 96
    const/16 v37, 288
    const/16 v38, 223
    const/16 v39, 80
    const/16 v40, 152
    const/16 v41, -67
    const/16 v42, 87
    const/16 v43, -59
    const/16 v44, 160
    const/16 v45, -152
    const/16 v46, 34
    const/16 v47, 231
    const/16 v48, 84
    const/16 v49, -148
    const/16 v50, 207
    :b0
    :t1_start
    xor-int v32, v32, v35
    add-int v12, v12, v37
    if-ge v2, v1, :b1
    :b1
    :t0_start
    if-gez v48, :fuel1
    :b2
    neg-int v1, v2
    mul-int/2addr v4, v3
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v2, 7
    aget v38, v7, v8
    if-gtz v36, :fuel2
    :b3
    new-instance v7, LE0;
    invoke-direct {v7, v4}, LE0;-><init>(I)V
    throw v7
    :b4
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->arr:[I
    and-int/lit8 v8, v4, 7
    aget v3, v7, v8
    move/16 v39, v1
    const-class v7, LA0;
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v3, v7, LA0;->f:I
    if-eqz v2, :fuel3
    nop
    :t1_end
    :b5
    if-gtz v3, :fuel4
    nop
    :t0_end
    :b6
    move-object/from16 v7, p0
    invoke-virtual {v7, v1}, LCtx;->mix(I)I
    move-result v20
    shr-int v4, v26, v44
    and-int v13, v15, v16
    if-eqz v2, :b8
    :b7
    goto :fuel5
    :b8
    move-object/from16 v7, p0
    invoke-virtual {v7, v4}, LCtx;->mix(I)I
    move-result v2
    add-int/2addr v2, v2
    ushr-int v1, v1, v41
    if-lt v2, v2, :fuel6
    :b9
    const v3, 1012170597
    shl-int v26, v4, v15
    int-to-long v5, v1
    mul-long/2addr v5, v5
    long-to-int v3, v5
    move/16 v12, v9
    if-gez v35, :fuel7
    :b10
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static {v7, v8, v3, v1}, LS;->s2(LCtx;III)I
    move-result v3
    move/16 v38, v16
    nop
    and-int/lit8 v8, v48, 31
    packed-switch v8, :packed8
    :b11
    const v2, -1166524877
    move/16 v41, v2
    shl-int v3, v1, v4
    ushr-int v4, v1, v4
    if-le v4, v2, :fuel10
    goto/32 :exit
    .catch Ljava/lang/NullPointerException; {:t0_start .. :t0_end} :fuel11
    .catch Ljava/lang/ArrayIndexOutOfBoundsException; {:t1_start .. :t1_end} :handler13
    .catch Ljava/lang/RuntimeException; {:t1_start .. :t1_end} :handler15
    .catchall {:t1_start .. :t1_end} :handler17
    :fuel1
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel3
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b4
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel5
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel6
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel7
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :fuel9
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel10
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :fuel11
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :fuel12
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :handler13
    move-exception v7
    goto/32 :fuel12
    :fuel14
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b1
    :handler15
    move-exception v7
    and-int/lit8 v8, v1, 0x1
    if-eqz v8, :fuel14
    throw v7
    :fuel16
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b5
    :handler17
    move-exception v7
    goto/32 :fuel16
    :exit
    return v1
    :packed8
    .packed-switch 15
        :fuel9
    .end packed-switch
.end method

.method public static s2(LCtx;III)I
    .registers 62
    move-object/from16 v7, p0
    invoke-virtual {v7}, LCtx;->out()Z
    move-result v1
    move/from16 v8, p1
    if-nez v1, :over
    if-gtz v8, :start
    :over
    move/from16 v1, p2
    return v1
    :start
    const/16 v0, 8
    move/from16 v1, p2
    move/from16 v2, p3
    const/4 v3, 0x5
    const/4 v4, -0x3
    const-wide/16 v5, 0x7
    const/16 v9, 155
    const/16 v10, 71
    const/16 v11, 19
    const/16 v12, -62
    const/16 v13, 125
    const/16 v14, 204
    const/16 v15, 280
    const/16 v16, -253
    const/16 v17, -222
    const/16 v18, -278
    const/16 v19, -113
    const/16 v20, 160
    const/16 v21, 222
    const/16 v22, 292
    const/16 v23, 289
    const/16 v24, -223
    const/16 v25, 29
    const/16 v26, -220
    const/16 v27, 230
    const/16 v28, 173
    const/16 v29, 269
    const/16 v30, 92
    const/16 v31, -145
    const/16 v32, -18
    const/16 v33, -77
    const/16 v34, 214
    const/16 v35, 53
    const/16 v36, 177
    const/16 v37, -79
    const/16 v38, 258
    const/16 v39, 184
    const/16 v40, -56
    const/16 v41, -213
    const/16 v42, -262
    const/16 v43, -241
    const/16 v44, -100
    const/16 v45, 65
    const/16 v46, 121
    const/16 v47, -27
    const/16 v48, -290
    const/16 v49, -10
    const/16 v50, -234
    const/16 v51, -299
    const/16 v52, 212
    const/16 v53, -163
    const/16 v54, -41
    const/16 v55, 283
    const/16 v56, 116
    const/16 v57, -55
    :b0
    int-to-long v5, v1
    mul-long/2addr v5, v5
    long-to-int v2, v5
    rem-int/lit16 v2, v1, 1865
    sub-int/2addr v2, v3
    if-nez v50, :b1
    :b1
    move-object/from16 v7, p0
    move/from16 v8, p1
    add-int/lit8 v8, v8, -0x1
    invoke-static/range {v7 .. v10}, LU0;->m3(LCtx;III)I
    move-result v39
    rem-int/lit16 v3, v2, 946
    mul-int/lit8 v3, v4, 98
    int-to-long v5, v2
    mul-long/2addr v5, v5
    long-to-int v4, v5
    if-lez v2, :b2
    :b2
    :t0_start
    move/16 v20, v3
    and-int v2, v31, v2
    nop
    :t0_end
    :b3
    move-object/from16 v7, p0
    iget-object v7, v7, LCtx;->maybe:LA0;
    iget v4, v7, LA0;->f:I
    goto/32 :fuel1
    goto/32 :exit
    .catch LE1; {:t0_start .. :t0_end} :handler3
    .catch Ljava/lang/ArithmeticException; {:t0_start .. :t0_end} :fuel4
    :fuel1
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b2
    :fuel2
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :handler3
    move-exception v7
    goto/32 :fuel2
    :fuel4
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :exit
    goto/32 :b3
    :exit
    return v1
.end method

